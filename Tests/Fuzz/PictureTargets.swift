@testable import GraphKit
@testable import JSON
@testable import Media
@testable import Nodes

// What pictures, tables of colours and waveform files are made of. Decoding is left to libraries.
extension Targets {
  @Sendable static func gif(_ bytes: [UInt8]) {
    attempt {
      let animation = try AnimatedGIF(bytes, path: "a.gif")
      precondition(animation.packets.count == animation.durations.count)
      use(animation.durations, animation.plays)
    }
  }

  @Sendable static func png(_ bytes: [UInt8]) {
    attempt {
      guard let animation = try AnimatedPNG(bytes, path: "a.png") else { return }
      use(animation.parts.map(\.duration), animation.plays)
    }
  }

  @Sendable static func jpeg(_ bytes: [UInt8]) { _ = JPEGMarkers.areWhole(bytes) }

  /// Of each kind, whatever the bytes are.
  @Sendable static func pictureSize(_ bytes: [UInt8]) {
    for kind in PictureFile.Kind.allCases {
      guard let size = PictureSize(kind, bytes) else { continue }
      precondition(size.width >= 0 && size.height >= 0)
    }
  }

  /// Which picture of an animation is due.
  private static func use(_ durations: [Int64], _ plays: Int?) {
    let pictures = durations.map { _ in Picture(width: 1, height: 1) }
    let animation = Animation(pictures: pictures, durations: durations, plays: plays)
    for time in [0, 1, 1_000_000_000, Int64.max] {
      let index = animation.index(at: time, plays: plays)
      precondition(animation.pictures.indices.contains(index))
    }
  }

  @Sendable static func cube(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      let table = try CubeTable(path)
      for color in [RGB.zero, .one, RGB(0.3, 0.5, 0.7), RGB(-1, .infinity, .nan)] {
        _ = table(color)
      }
    }
  }

  /// A binary file or JSON: the reader tells them from each other.
  @Sendable static func peaks(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      let file = try PeaksFile(path)
      precondition(file.count * file.format.valuesPerPoint <= bytes.count)
      _ = try file.peaks(0..<file.count)
    }
  }
}
