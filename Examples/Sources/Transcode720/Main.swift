import Foundation

/// Writes a movie anew in 720p: `Transcode720 SOURCE DESTINATION.mp4`.
@main struct Main {
  static func main() async throws {
    guard CommandLine.arguments.count == 3 else {
      print("Usage: Transcode720 SOURCE DESTINATION.mp4")
      exit(64)
    }
    let (source, destination) = (CommandLine.arguments[1], CommandLine.arguments[2])
    do {
      let count = try await Transcoder(source: source, destination: destination).run()
      print("\(destination): \(count) samples")
    } catch {
      print("\(error)")
      exit(1)
    }
  }
}
