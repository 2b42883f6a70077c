import Foundation

/// A PulseAudio server of the test's own, with one sink that nobody hears: what is played into it
/// can be recorded from its monitor.
final class SoundServer {
  private let program: BackgroundProgram
  private let address: String

  /// The monitor of the sink, as a microphone's device.
  static let monitor = "pulse:room.monitor"

  /// Starts the server, and returns once it can be asked for its sources.
  init(in folder: Folder) async throws {
    address = "unix:\(folder.path)/sound"
    program = try await BackgroundProgram(
      "pulseaudio",
      [
        "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes",
        "-L", "module-null-sink sink_name=room rate=48000 channels=2",
        "-L", "module-native-protocol-unix socket=\(folder.path)/sound auth-anonymous=1",
      ], environment: ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path])
    let deadline = ContinuousClock.now + .seconds(20)
    // On a machine that is busy with other tests one attempt may take as long as that.
    for attempt in 1... {
      do {
        try await Tool.run(
          "env", ["PULSE_SERVER=\(address)", "HOME=\(folder.path)", "pactl", "info"], in: folder.url
        )
        return
      } catch {
        if ContinuousClock.now >= deadline, attempt >= 100 { throw error }
      }
    }
  }

  /// Where the server listens, for programs that use it.
  var environment: [String: String] { ["PULSE_SERVER": address] }

  /// Plays a tone until the program's last use; returns once it is to be heard.
  func play(frequency: Int) async throws -> BackgroundProgram {
    let program = try await BackgroundProgram(
      "gst-launch-1.0",
      [
        "audiotestsrc", "is-live=true", "volume=0.5", "freq=\(frequency)", "!",
        "audio/x-raw,rate=48000,channels=2", "!", "pulsesink", "device=room",
      ], environment: environment)
    _ = await program.lines.wait(for: "New clock")
    return program
  }
}
