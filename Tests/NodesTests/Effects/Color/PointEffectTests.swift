import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("Point effects", .inTurn) struct PointEffectTests {
  /// An effect with the parameters that a graph would give it.
  struct Setting: Sendable, CustomTestStringConvertible {
    var type: String
    var values: [String: JSONValue] = [:]

    var testDescription: String { "\(type) \(values.sorted { $0.key < $1.key })" }

    func effect() throws -> any PointEffect {
      let type = try #require(Catalog.builtIn[type])
      var node = type.make()
      for (name, value) in values {
        let isTaken = type.set(name, to: value, of: &node)
        try #require(isTaken, "\(name)")
      }
      return try #require(node.work.pointEffect)
    }

    /// The effect as the engine runs it.
    func chain() throws -> ColorChain {
      let type = try #require(Catalog.builtIn[type])
      return ColorChain([NodeMember("look", type, try effect())])
    }
  }

  static let neutral: [Setting] = [
    Setting(type: "channelMask"), Setting(type: "photoFilter", values: ["intensity": 0]),
    Setting(type: "sepia", values: ["intensity": 0]), Setting(type: "colorMatrix"),
    Setting(type: "exposure"), Setting(type: "contrast"), Setting(type: "saturation"),
    Setting(type: "temperature"), Setting(type: "gamma"), Setting(type: "levels"),
    Setting(type: "curves"),
    Setting(type: "invert", values: ["intensity": 0]), Setting(type: "lut"),
  ]

  static let point: @Sendable (Double, Double) -> JSONValue = {
    .array([.number($0), .number($1)])
  }

  static let active: [Setting] =
    PhotoFilter.Style.allCases.map {
      Setting(type: "photoFilter", values: ["style": .string($0.rawValue)])
    } + [
      Setting(type: "channelMask", values: ["red": false]), Setting(type: "sepia"),
      Setting(
        type: "colorMatrix",
        values: ["red": [0.2, 0.9, -0.3, 0.1], "blue": [0.5, 0, 0.5]]),
      Setting(type: "exposure", values: ["stops": 1]),
      Setting(type: "exposure", values: ["stops": -8]),
      Setting(type: "exposure", values: ["stops": 10]),
      Setting(type: "contrast", values: ["amount": 1.6, "brightness": -0.1]),
      Setting(type: "saturation", values: ["amount": 2]),
      Setting(type: "saturation", values: ["amount": 0]),
      Setting(type: "temperature", values: ["kelvin": 3200, "tint": 0.3]),
      Setting(type: "gamma", values: ["gamma": 2.2]),
      Setting(
        type: "levels",
        values: ["inputBlack": 0.1, "inputWhite": 0.8, "gamma": 0.7, "outputBlack": 0.05]),
      Setting(
        type: "curves",
        values: [
          "master": .array([point(0, 0.1), point(0.4, 0.6), point(1, 0.9)]),
          "red": .array([point(0.2, 0), point(0.8, 1)]),
        ]),
      Setting(type: "posterize", values: ["levels": 4]),
      Setting(type: "posterize", values: ["levels": 256]), Setting(type: "invert"),
    ]

  static let layouts: [PixelFormat] = [.i420, .nv12, .bgra, .rgba]
  static let sizes = [(1, 1), (2, 1), (1, 3), (67, 5), (128, 4)]

  func run(_ chain: ColorChain, on sample: consuming SampleBuffer) throws -> [UInt8] {
    let harness = NodeHarness(chain)
    try harness.push(sample)
    return pictureBytes(try #require(try harness.samples().first).sample)
  }

  @Test("leave pictures alone at neutral settings", arguments: neutral, layouts)
  func identity(_ setting: Setting, _ layout: PixelFormat) throws {
    for (width, height) in Self.sizes {
      let picture = ColorPicture(format: VideoFormat(layout, width: width, height: height))
      let bytes = try pictureBytes(picture.sample())
      #expect(try run(setting.chain(), on: picture.sample()) == bytes)
    }
  }

  @Test("are what their function says, however they are run", arguments: active, layouts)
  func exactness(_ setting: Setting, _ layout: PixelFormat) throws {
    for kind in ColorPicture.Kind.allCases {
      for (width, height) in Self.sizes {
        let format = VideoFormat(layout, width: width, height: height)
        let picture = ColorPicture(kind: kind, format: format)
        let got = try run(setting.chain(), on: picture.sample())
        let wanted = try exact(setting.effect(), picture.sample())
        let difference = PictureDifference(got, wanted)
        #expect(
          difference.mean <= 0.5 && difference.worst <= 3,
          "\(kind) \(width)x\(height) \(difference)")
        let alphas =
          layout.planeCount == 1 ? stride(from: 3, to: got.count, by: 4).map { got[$0] } : []
        #expect(alphas.allSatisfy { $0 == 77 })
      }
    }
  }

  /// A frame by the function itself, in floating point.
  func exact(_ effect: some PointEffect, _ sample: consuming SampleBuffer) throws -> [UInt8] {
    let harness = NodeHarness(effect)
    try harness.push([CollectedSample(sample)])
    return pictureBytes(try #require(try harness.samples().first).sample)
  }

  @Test(
    "know the matrix and the range of the frame",
    arguments: ["bt601", "bt709", "1:4:0:0", "1:3:5:1", "bt2020"], layouts[0...1])
  func encodings(_ colorimetry: String, _ layout: PixelFormat) throws {
    var format = VideoFormat(layout, width: 67, height: 35)
    format.colorimetry = colorimetry
    for setting in [Setting(type: "invert"), Setting(type: "photoFilter")] {
      let picture = ColorPicture(format: format)
      let wanted = try exact(setting.effect(), picture.sample())
      let difference = PictureDifference(
        try run(setting.chain(), on: picture.sample()), wanted)
      #expect(difference.mean <= 0.5 && difference.worst <= 3, "\(difference)")
    }
    // White becomes black, whatever numbers they are stored as.
    let encoding = ColorEncoding(format)
    let white = encoding.fromRGB(SIMD3(repeating: 255))
    let black = encoding.fromRGB(.zero)
    var sample = SampleBuffer(
      byteCount: format.frameSize, format: try FormatDescription(.video(format)))
    sample.withMutableBytes { bytes in
      for index in bytes.indices {
        bytes[index] = UInt8(index < format.planes[1].offset ? white.x.rounded() : 128)
      }
    }
    let inverted = try run(Setting(type: "invert").chain(), on: sample)
    #expect(inverted.prefix(67 * 35).allSatisfy { $0 == UInt8(black.x.rounded()) })
  }

  @Test("leave black as it is, however steep they are near it", arguments: layouts, [16, 720])
  func black(_ layout: PixelFormat, height: Int) throws {
    let format = VideoFormat(layout, width: 16, height: height)
    let black = ColorEncoding(format).fromRGB(.zero)
    var sample = SampleBuffer(
      byteCount: format.frameSize, format: try FormatDescription(.video(format)))
    sample.withMutableBytes { bytes in
      for index in bytes.indices {
        let isLuma = layout.planeCount == 1 || index < format.planes[1].offset
        bytes[index] = UInt8(isLuma ? black.x : black.y)
      }
    }
    let bytes = pictureBytes(sample.share())
    let setting = Setting(type: "gamma", values: ["gamma": 10])
    #expect(try run(setting.chain(), on: sample) == bytes)
  }

  @Test("keep to the pixels of rows that lie far apart", arguments: layouts, [1, 13, 64])
  func strides(_ layout: PixelFormat, extra: Int) throws {
    for setting in [Setting(type: "sepia"), Setting(type: "gamma", values: ["gamma": 2])] {
      let picture = ColorPicture(format: VideoFormat(layout, width: 67, height: 35))
      let harness = NodeHarness(try setting.chain())
      try harness.push(picture.sample().paddingRows(by: extra, filler: 99))
      let changed = try #require(try harness.samples().first)
      #expect(
        try pictureBytes(changed.sample) == run(setting.chain(), on: picture.sample()))
      for (index, plane) in picture.format.planes.enumerated() {
        let isKept = changed.sample.withPlane(index) { bytes, stride in
          stride == plane.bytesPerRow + extra
            && (0..<plane.height - 1).allSatisfy { row in
              (plane.bytesPerRow..<stride).allSatisfy { bytes[row * stride + $0] == 99 }
            }
        }
        #expect(isKept)
      }
    }
  }

  @Test(
    "give the same in place and from a frame that others hold, which stays as it is",
    arguments: layouts, [0, 13])
  func sharing(_ layout: PixelFormat, extra: Int) throws {
    for setting in [Setting(type: "sepia"), Setting(type: "gamma", values: ["gamma": 2])] {
      for (width, height) in [(1, 1), (67, 5), setting.type == "sepia" ? (321, 179) : (2, 3)] {
        let picture = ColorPicture(format: VideoFormat(layout, width: width, height: height))
        func sample() throws -> SampleBuffer {
          extra > 0 ? try picture.sample().paddingRows(by: extra, filler: 99) : try picture.sample()
        }
        let shared = CollectedSample(try sample())
        let (before, harness) = (shared.bytes, NodeHarness(try setting.chain()))
        try harness.push([shared])
        try harness.push(sample())
        let changed = try harness.samples().map { pictureBytes($0.sample) }
        #expect(changed.count == 2 && changed[0] == changed[1])
        #expect(shared.bytes == before && changed[0] != pictureBytes(shared.sample))
      }
    }
  }
}
