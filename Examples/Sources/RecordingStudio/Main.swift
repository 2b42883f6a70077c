import Foundation
import Keyboard

/// Records from the keyboard: `star` and `sparks` show what they say, `q` ends.
@main struct Main {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    let shapes = RecordingStudio.Shape.allCases.map(\.rawValue).joined(separator: "|")
    guard words.count == 2, let path = words.first,
      let shape = words.last.flatMap(RecordingStudio.Shape.init)
    else {
      print("Usage: RecordingStudio FILE.mp4 \(shapes)")
      exit(64)
    }
    do {
      try await record(path, shape)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func record(_ path: String, _ shape: RecordingStudio.Shape) async throws {
    let studio = try RecordingStudio(path: path, shape: shape, assets: "graphs/assets")
    print("star, sparks; q ends")
    let keyboard = Task {
      for await line in Keyboard.lines {
        switch line {
        case "star": try studio.stick(for: 3)
        case "sparks": try studio.sparkle(for: 1)
        case "q": return studio.stop()
        default: print("star, sparks; q ends")
        }
      }
      studio.stop()
    }
    // A program with a window draws the frames; here their times are enough.
    let report = try await studio.run { frame in
      print(String(format: "\r%.1f s", frame.presentationTime.seconds), terminator: "")
      fflush(nil)
    }
    keyboard.cancel()
    print("\n\(path): \(report.outputs.first?.contents?.duration ?? 0) s, \(report.lateCount) late")
  }
}
