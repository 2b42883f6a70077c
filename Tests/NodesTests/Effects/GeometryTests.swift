import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("Crop, rotate, mirror and scale", .inTurn)
struct GeometryTests {
  @Test("rotating and mirroring are what ffmpeg makes of it, bit for bit")
  func turns() throws {
    for layout in FrameEffectCase.layouts {
      for (width, height) in [(70, 34), (33, 19)] {
        // ffmpeg turns the pairs of NV12 through I420, which at odd sides isn't the same.
        guard layout != .nv12 || width % 2 + height % 2 == 0 else { continue }
        let picture = RawPicture.noise(layout, width, height)
        var turned = picture.format
        (turned.width, turned.height) = (height, width)
        let node = { (degrees: Int) in Rotate.with { $0.degrees = degrees } }
        #expect(
          try node(90).output(of: picture) == filtered(picture, "transpose=clock", to: turned),
          "\(layout) \(width)x\(height)")
        #expect(
          try node(270).output(of: picture) == filtered(picture, "transpose=cclock", to: turned))
        let same = picture.format
        #expect(try Mirror().output(of: picture) == filtered(picture, "hflip", to: same))
        let down = Mirror.with { $0.direction = .vertical }
        #expect(try down.output(of: picture) == filtered(picture, "vflip", to: same))
        #expect(try node(180).output(of: picture) == down.output(of: Mirror().output(of: picture)))
      }
    }
  }

  @Test("what is turned and turned back is as it was")
  func back() throws {
    for layout in FrameEffectCase.layouts {
      for (width, height) in [(1, 1), (33, 19), (64, 48)] {
        let picture = RawPicture.noise(layout, width, height)
        for direction in [Mirror.Direction.horizontal, .vertical, .both] {
          let mirror = Mirror.with { $0.direction = direction }
          #expect(try mirror.output(of: mirror.output(of: picture)) == picture)
        }
        let (right, left) = (Rotate(), Rotate.with { $0.degrees = 270 })
        #expect(try left.output(of: right.output(of: picture)) == picture)
      }
    }
  }

  @Test("a crop is ffmpeg's, bit for bit, with odd offsets rounded down in 4:2:0")
  func crop() throws {
    for layout in FrameEffectCase.layouts {
      for (x, y, width, height) in [
        (0, 0, 20, 10), (6, 4, 16, 12), (7, 5, 16, 12), (13, 7, 21, 11),
      ] {
        // ffmpeg rounds sizes down too.
        guard width % 2 == 0 || layout == .bgra || layout == .rgba else { continue }
        let picture = RawPicture.noise(layout, 34, 18)
        let node = Crop.with { ($0.x, $0.y, $0.width, $0.height) = (x, y, width, height) }
        var format = picture.format
        (format.width, format.height) = (width, height)
        #expect(
          try node.output(of: picture)
            == filtered(picture, "crop=\(width):\(height):\(x):\(y)", to: format),
          "\(layout) \(width)x\(height) at \(x), \(y)")
      }
    }
  }

  @Test(
    "a shape gives the largest rectangle of even sides, where the anchor puts it",
    arguments: [
      ("1:1", 1280, 720, 720, 720, 280, 0), ("3:4", 1280, 720, 540, 720, 370, 0),
      ("9:16", 1280, 720, 404, 720, 438, 0), ("16:9", 64, 48, 64, 36, 0, 6),
      ("2:1", 65, 35, 64, 32, 0, 1), ("1:1", 1, 1, 1, 1, 0, 0),
    ])
  func shape(
    _ shape: String, _ width: Int, _ height: Int, _ wide: Int, _ high: Int, _ x: Int, _ y: Int
  ) throws {
    let node = Crop.with { $0.aspectRatio = shape }
    let leaving = try #require(node.reshaped(.video(width: width, height: height)))
    #expect(leaving.width == wide && leaving.height == high)
    guard width < 100 else { return }
    let picture = RawPicture(.rgba, width, height) { _, row, column in
      UInt8(truncatingIfNeeded: column % 4 == 0 ? column / 4 : row)
    }
    let result = try node.output(of: picture)
    #expect(result.format.width == wide && result.format.height == high)
    #expect(result.planes[0][0].prefix(2) == [UInt8(x & 255), UInt8(y & 255)])
    let corner = Crop.with { ($0.aspectRatio, $0.anchor) = (shape, .bottomRight) }
    let (right, bottom) = (width - wide, height - high)
    #expect(
      try corner.output(of: picture).planes[0][0].prefix(2)
        == [UInt8(right & 255), UInt8(bottom & 255)])
  }

  @Test("what is wrong with a crop is said before the run, or with the first picture")
  func misfits() throws {
    let large = Crop.with { $0.width = 641 }
    #expect(large.problem(formats: ["in": .video(width: 640, height: 480)])?.key == "width")
    #expect(throws: NodeError.self) { try large.output(of: .noise(.i420, 64, 48)) }
    let outside = Crop.with { ($0.width, $0.x) = (600, 41) }
    #expect(outside.problem(formats: ["in": .video(width: 640, height: 480)]) != nil)
    #expect(Crop.with { $0.aspectRatio = "square" }.problem?.key == "aspectRatio")
    #expect(Crop.with { ($0.aspectRatio, $0.width) = ("1:1", 5) }.problem != nil)
    #expect(Rotate.with { $0.degrees = 45 }.problem?.key == "degrees")
  }

  @Test("times, colours and the shape of pixels stay as they are, but for turned pixels")
  func description() throws {
    let caps =
      "video/x-raw, format=(string)I420, width=(int)16, height=(int)8, "
      + "framerate=(fraction)25/1, pixel-aspect-ratio=(fraction)4/3, colorimetry=(string)bt709"
    var sample = SampleBuffer(byteCount: 192, format: try FormatDescription(capsText: caps))
    sample.presentationTime = MediaTime(value: 3, timescale: 25)
    sample.duration = MediaTime(value: 1, timescale: 25)
    let harness = NodeHarness(Rotate())
    try harness.push(sample)
    let result = try #require(try harness.samples().first)
    #expect(result.presentationTime == MediaTime(value: 3, timescale: 25))
    #expect(result.duration == MediaTime(value: 1, timescale: 25))
    let text = result.sample.format.capsText
    #expect(text.contains("width=(int)8") && text.contains("height=(int)16"))
    #expect(text.contains("pixel-aspect-ratio=(fraction)3/4") && text.contains("bt709"))
  }

  @Test("scaling fits with bars, fills, or stretches")
  func scale() throws {
    // Left half dark, right half light; 2:1.
    let picture = RawPicture(.i420, 64, 32) { plane, _, column in
      plane > 0 ? 128 : column < 32 ? 60 : 200
    }
    let node = { (mode: Scale.Mode) in
      Scale.with { ($0.width, $0.height, $0.mode, $0.barColor) = (32, 32, mode, "ffffff") }
    }
    let fitted = try node(.fit).output(of: picture).planes[0]
    #expect(fitted[0][16] >= 234 && fitted[7][3] >= 234 && fitted[24][16] >= 234)
    #expect(fitted[16][2] == 60 && fitted[16][29] == 200 && fitted[9][2] == 60)
    for mode in [Scale.Mode.fill, .stretch] {
      let whole = try node(mode).output(of: picture).planes[0]
      #expect(whole[0][2] == 60 && whole[31][29] == 200, "\(mode)")
    }
    let narrow = try #require(
      Scale.with { $0.width = 30 }.reshaped(.video(width: 641, height: 359)))
    #expect(narrow.width == 30 && narrow.height == 16)
    #expect(Scale.with { $0.barColor = "red" }.problem?.key == "barColor")
  }
}
