import Foundation
import Keyboard
import Nodes

/// Records a camera with a filter: a line with a filter's name changes it, `pause` and `record` halt it
/// and go on, `mark TITLE` makes a chapter, `q` ends.
@main struct Main {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("Usage: FilterCamera FILE.mp4")
      exit(64)
    }
    do {
      try await record(CommandLine.arguments[1])
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func record(_ path: String) async throws {
    let camera = try FilterCamera(path: path)
    let names = PhotoFilter.Style.allCases.map(\.rawValue).joined(separator: ", ")
    say("\(names); pause, record, mark TITLE; q ends")
    let keyboard = Task {
      for await line in Keyboard.lines {
        if line == "q" { break }
        do { try obey(line, camera) } catch { say("\(error)") }
      }
      camera.stop()
    }
    let states = Task { for await state in camera.recorder.states { say(state.rawValue) } }
    let report = try await camera.run()
    keyboard.cancel()
    await states.value
    let seconds = report.outputs.first?.contents?.duration ?? 0
    say("\(seconds) s, \(camera.recorder.lateCount) samples late")
  }

  private static func obey(_ line: String, _ camera: FilterCamera) throws {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "pause": try camera.recorder.pause()
    case "record": try camera.recorder.record()
    case "mark":
      let title = words.dropFirst().first ?? "Mark"
      if let time = try camera.recorder.mark(title) { say("marked \(time.seconds) \(title)") }
    case let name?:
      guard let style = PhotoFilter.Style(rawValue: name) else { return say("no filter \(name)") }
      try camera.show(style)
    case nil: break
    }
  }

  /// Writes a line at once, also where it is read by a program.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
