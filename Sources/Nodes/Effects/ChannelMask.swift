import GraphKit

/// Takes red, green or blue out of pictures.
public struct ChannelMask: VideoEffect {
  /// Whether red stays.
  public var red = true
  /// Whether green stays.
  public var green = true
  /// Whether blue stays.
  public var blue = true
  /// Where red, green and blue are among a pixel's four bytes.
  private var places = (red: 2, green: 1, blue: 0)

  /// A mask that lets everything through.
  public init() {}

  public static let declaration = NodeDeclaration<ChannelMask>(
    "channelMask", role: .effect, help: "Takes red, green or blue out of pictures.",
    example: "camera -> channelMask -> encoder",
    parameters: [
      .bool("red", \.red, live: true, help: "Whether red stays."),
      .bool("green", \.green, live: true, help: "Whether green stays."),
      .bool("blue", \.blue, live: true, help: "Whether blue stays."),
    ])

  public static let ports = EffectPorts<Video>(.video([.bgra, .rgba]))

  public mutating func prepare(_ format: VideoFormat) throws {
    switch format.pixelFormat {
    case .bgra: places = (2, 1, 0)
    case .rgba: places = (0, 1, 2)
    default:
      throw NodeError(
        "channelMask works on bgra and rgba, not on \(format.pixelFormat.rawValue)",
        remedy: "put a videoConvert before it", key: "in")
    }
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard !(red && green && blue) else { return }
    let (width, height) = (frame.width, frame.height)
    let stride = frame.bytesPerRow(ofPlane: 0)
    let mask = mask
    var pixels = frame.plane(0)
    for row in 0..<height {
      let start = row * stride
      for offset in 0..<width * 4 { pixels[start + offset] &= mask[offset & 3] }
    }
  }

  private var mask: SIMD4<UInt8> {
    var mask = SIMD4<UInt8>(repeating: 0xff)
    if !red { mask[places.red] = 0 }
    if !green { mask[places.green] = 0 }
    if !blue { mask[places.blue] = 0 }
    return mask
  }
}
