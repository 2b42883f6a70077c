import GraphKit

/// The place of one input of a mix, as a graph file gives it.
struct PicturePlace: Hashable, Sendable {
  var x = 0
  var y = 0
  var width: Int?
  var height: Int?
  var opacity = 1.0
  var z: Int?
  var blend = BlendMode.normal
  /// The radius of its corners, in pixels.
  var radius = 0.0
  /// How wide the border inside of its edges is, in pixels.
  var border = 0
  /// The border's colour, red in the highest byte of three.
  var borderColor: UInt32 = 0xff_ffff

  /// A place at the top left, as large as the picture.
  init() {}

  /// Reads `{ "x": 16, "y": 16, "width": 320 }`.
  init(_ value: JSONValue, of input: String) throws(NodeError) {
    guard case .object(let fields) = value else {
      throw Self.wrong("`\(input)` is no object", input)
    }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "x": x = try Self.whole(value, in: -16_384...16_384, name, input)
      case "y": y = try Self.whole(value, in: -16_384...16_384, name, input)
      case "width": width = try Self.whole(value, in: 1...16_384, name, input)
      case "height": height = try Self.whole(value, in: 1...16_384, name, input)
      case "z": z = try Self.whole(value, in: -1_000...1_000, name, input)
      case "opacity":
        guard case .number(let number) = value, (0...1).contains(number) else {
          throw Self.wrong("`\(name)` of `\(input)` is no number from 0 to 1", input)
        }
        opacity = number
      case "radius":
        guard case .number(let number) = value, (0...8_192).contains(number) else {
          throw Self.wrong("`\(name)` of `\(input)` is no number from 0 to 8192", input)
        }
        radius = number
      case "border": border = try Self.whole(value, in: 0...8_192, name, input)
      case "borderColor": borderColor = try Self.color(value, input)
      case "blend": blend = try Self.mode(value, input)
      default: throw Self.wrong("`\(input)` has no `\(name)`", input)
      }
    }
  }

  private static func whole(
    _ value: JSONValue, in range: ClosedRange<Int>, _ name: String, _ input: String
  ) throws(NodeError) -> Int {
    guard let number = value.wholeNumber, range.contains(number) else {
      throw wrong(
        "`\(name)` of `\(input)` is no whole number from \(range.lowerBound) to "
          + "\(range.upperBound)", input)
    }
    return number
  }

  private static func color(_ value: JSONValue, _ input: String) throws(NodeError) -> UInt32 {
    guard case .string(let text) = value, let color = RGBA(text) else {
      throw NodeError(
        "`borderColor` of `\(input)` is no colour", remedy: "write it as rrggbb: \"ffcc00\"",
        key: "places.\(input)")
    }
    return color.rgb
  }

  private static func mode(_ value: JSONValue, _ input: String) throws(NodeError) -> BlendMode {
    guard case .string(let text) = value, let mode = BlendMode(rawValue: text) else {
      throw NodeError(
        "`blend` of `\(input)` is no blend mode",
        remedy: "give one of " + BlendMode.allCases.map(\.rawValue).joined(separator: ", "),
        key: "places.\(input)")
    }
    return mode
  }

  private static func wrong(_ message: String, _ input: String) -> NodeError {
    NodeError(
      message,
      remedy: #"write { "in.2": { "x", "y", "width", "height", "opacity", "z", "blend", "radius", "#
        + #""border", "borderColor" } }"#,
      key: "places.\(input)")
  }

  /// The size of a picture there, in pixels of the frames that it is put into; a side that isn't
  /// given keeps its shape, in even pixels. So do both where the pixels of the two differ in shape.
  func size(of video: VideoFormat, in ground: VideoFormat) -> (width: Int, height: Int) {
    let shape = video.pixelShape(in: ground)
    let wide = Int((Double(Self.precision) * shape).rounded())
    return switch (width, height) {
    case (let width?, let height?): (width, height)
    case (let width?, nil):
      (width, even(width * video.height * Self.precision, video.width * wide))
    case (nil, let height?):
      (even(height * video.width * wide, video.height * Self.precision), height)
    case (nil, nil) where shape == 1: (video.width, video.height)
    case (nil, nil): (even(video.width * wide, Self.precision), video.height)
    }
  }

  /// What the shape of pixels is counted in.
  private static let precision = 10_000

  private func even(_ length: Int, _ whole: Int) -> Int {
    max(2, (length + whole) / (2 * max(1, whole)) * 2)
  }
}

extension VideoFormat {
  /// The shape of a pixel, against that of those of other frames.
  func pixelShape(in ground: VideoFormat) -> Double { pixelShape / ground.pixelShape }
}
