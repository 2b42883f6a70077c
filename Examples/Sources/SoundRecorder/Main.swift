import Foundation
import Keyboard

/// Records from the keyboard: Return begins, halts and goes on, `q` and Return ends.
@main struct Main {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("Usage: SoundRecorder FILE.m4a")
      exit(64)
    }
    let path = CommandLine.arguments[1]
    let recorder = try SoundRecorder(path: path)
    print("Return records, pauses and goes on; q ends.")
    var (isStarted, isRecording) = (false, false)
    for await line in Keyboard.lines {
      if line == "q" { break }
      switch (isStarted, isRecording) {
      case (false, _): recorder.start()
      case (true, true): recorder.pause()
      case (true, false): recorder.resume()
      }
      (isStarted, isRecording) = (true, !isRecording)
      print(isRecording ? "recording" : "paused")
    }
    guard isStarted else { return }
    let duration = try await recorder.stop()
    print("\(path): \(duration) s")
  }
}
