import Foundation
import GraphKit

/// Draws the sound of a file while it loads: `WaveformView talk.mp3 wave.svg [WIDTH HEIGHT]`.
@main struct Main {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 2 || words.count == 4, let input = words.first else {
      fail("Usage: WaveformView SOUND PICTURE.svg [WIDTH HEIGHT]", code: 64)
    }
    var view = WaveformPath()
    if let width = words.dropFirst(2).first.flatMap(Double.init) { view.width = width }
    if let height = words.dropFirst(3).first.flatMap(Double.init) { view.height = height }
    do {
      try await draw(input, as: view, to: words[words.startIndex + 1])
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func draw(_ input: String, as view: WaveformPath, to output: String) async throws {
    let loader = WaveformLoader(path: input, pointCount: view.columnCount)
    for try await peaks in loader.waveforms() {
      let columns = view.columns(of: peaks)
      // A viewer of the image always finds it whole.
      try view.svg(of: columns).write(toFile: output, atomically: true, encoding: .utf8)
      print("\(columns.count) of \(view.columnCount) columns")
    }
  }

  private static func fail(_ words: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("\(words)\n".utf8))
    exit(code)
  }
}
