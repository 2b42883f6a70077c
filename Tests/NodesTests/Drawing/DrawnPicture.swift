import Foundation
import GraphKit
import GraphTesting
import Testing

@testable import Nodes

/// The pixels of a PNG file as ffmpeg reads them: red, green, blue and alpha, each 8 bits.
struct DrawnPicture {
  var width: Int
  var height: Int
  private var bytes: [UInt8]

  init(_ path: String) throws {
    let head = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(24)
    try #require(head.starts(with: [0x89, 0x50, 0x4E, 0x47]) && head.count == 24)
    width = head[16..<20].reduce(0) { $0 << 8 | Int($1) }
    height = head[20..<24].reduce(0) { $0 << 8 | Int($1) }
    bytes = Array(
      try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"]))
    try #require(bytes.count == width * height * 4)
  }

  /// A pixel as `0xRRGGBBAA`.
  subscript(x: Int, y: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[(y * width + x) * 4 + $1]) }
  }

  /// The pixels of a column, from the top, that are not of a colour.
  func rows(inColumn x: Int, except color: UInt32) -> [Int] {
    (0..<height).filter { self[x, $0] != color }
  }

  /// Every colour that is there.
  var colors: Set<UInt32> {
    Set((0..<height).flatMap { y in (0..<width).map { self[$0, y] } })
  }
}

/// A waveform of 10 points a second, each of so many pairs as it has channels.
func peaks(_ values: [Int16], channels: Int = 1, _ reduction: PeakReduction = .minMax) -> Peaks {
  Peaks(
    PeaksFormat(
      sampleRate: 1000, samplesPerPixel: 100, channels: channels, reduction: reduction),
    values: values)
}

/// Points that reach from `-level` to `level`.
func level(_ level: Int16, count: Int, channels: Int = 1) -> Peaks {
  peaks(
    Array(repeating: [-level, level], count: count * channels).flatMap { $0 }, channels: channels)
}

/// A picture without an axis, black on white, of so many pixels.
func plainImage(_ width: Int, _ height: Int) -> WaveformImage {
  var image = WaveformImage()
  (image.width, image.height, image.axisLabels) = (width, height, false)
  (image.backgroundColor, image.waveformColor) = ("ffffff", "000000")
  return image
}

/// Has a node write its picture; returns the file.
func draw(_ image: WaveformImage, _ parts: [Peaks], in folder: TestFolder, as name: String) throws
  -> String
{
  var image = image
  image.path = folder.path(name)
  try #require(image.problem == nil, "\(String(describing: image.problem))")
  let harness = NodeHarness(image)
  for part in parts { try harness.push(SampleBuffer(part, at: .invalid)) }
  try harness.finish()
  return image.path
}

/// The picture that a node writes as PNG.
func drawn(_ image: WaveformImage, _ parts: Peaks...) throws -> DrawnPicture {
  let folder = try TestFolder()
  return try DrawnPicture(draw(image, parts, in: folder, as: "picture.png"))
}

/// The text that a node writes as SVG.
func written(_ image: WaveformImage, _ parts: Peaks...) throws -> String {
  let folder = try TestFolder()
  let path = try draw(image, parts, in: folder, as: "picture.svg")
  return try String(contentsOfFile: path, encoding: .utf8)
}

let black: UInt32 = 0x0000_00FF
let white: UInt32 = 0xFFFF_FFFF
