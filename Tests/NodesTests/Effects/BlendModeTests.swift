import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("Blend modes, round corners and borders of mixVideo", .inTurn)
struct BlendModeTests {
  private func mixed(
    _ ground: RawPicture, _ inset: RawPicture, _ place: [String: JSONValue]
  ) throws -> RawPicture {
    let harness = NodeHarness(
      MixVideo.with { $0.places = ["in.2": .object(place)] }, inputs: ["in", "in.2"])
    try harness.push(ground.sample(), to: "in")
    try harness.push(inset.sample(), to: "in.2")
    try harness.finish()
    return try #require(try harness.samples().first.flatMap(RawPicture.init))
  }

  /// What ffmpeg's `blend` makes of the colours of two pictures in BGRA, in the order of its inputs.
  private func blended(
    _ ground: RawPicture, _ inset: RawPicture, _ mode: String, _ order: String
  ) throws -> RawPicture {
    let folder = try TestFolder()
    let size = "\(ground.format.width)x\(ground.format.height)"
    let input = ["-f", "rawvideo", "-pix_fmt", "bgra", "-s", size, "-i"]
    let filter =
      "[0]format=gbrp[below];[1]format=gbrp[above];\(order)blend=all_mode=\(mode)"
    let data = try tool(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + input + [try folder.write(ground.bytes, to: "below.raw")]
        + input + [try folder.write(inset.bytes, to: "above.raw")]
        + ["-filter_complex", filter, "-pix_fmt", "bgra", "-f", "rawvideo", "-"])
    return RawPicture(ground.format, bytes: Array(data))
  }

  private func opaque(_ picture: RawPicture) -> RawPicture {
    RawPicture(.bgra, picture.format.width, picture.format.height) { plane, row, column in
      column % 4 == 3 ? 255 : picture.planes[plane][row][column]
    }
  }

  private func difference(_ a: RawPicture, _ b: RawPicture) -> Int {
    zip(a.bytes, b.bytes).map { abs(Int($0) - Int($1)) }.max() ?? .max
  }

  @Test(
    "colours are those of ffmpeg's blend filter",
    arguments: [
      ("multiply", "multiply"), ("screen", "screen"), ("darken", "darken"), ("lighten", "lighten"),
      ("add", "addition"), ("difference", "difference"), ("exclusion", "exclusion"),
      ("overlay", "overlay"), ("hardLight", "hardlight"), ("colorDodge", "dodge"),
      ("colorBurn", "burn"),
    ])
  func modes(_ ours: String, _ theirs: String) throws {
    let ground = opaque(.noise(.bgra, 64, 40))
    let inset = opaque(.noise(.bgra, 64, 40, seed: 5))
    // Dodge and burn of ffmpeg have the picture on top as their first input.
    let isTopFirst = ["dodge", "burn"].contains(theirs)
    let wanted = try blended(
      ground, inset, theirs, isTopFirst ? "[above][below]" : "[below][above]")
    let got = try mixed(ground, inset, ["blend": .string(ours)])
    #expect(got != ground && difference(got, wanted) <= 2)
    let weak = try mixed(ground, inset, ["blend": .string(ours), "opacity": 0.6])
    let mean = RawPicture(.bgra, 64, 40) { plane, row, column in
      let (below, full) = (ground.planes[plane][row][column], wanted.planes[plane][row][column])
      return UInt8((Double(below) * 0.4 + Double(full) * 0.6).rounded())
    }
    #expect(difference(weak, mean) <= 2)
  }

  @Test(
    "softLight is that of CSS", arguments: [(64, 32), (64, 224), (200, 32), (200, 224), (0, 90)])
  func softLight(_ below: Int, _ above: Int) throws {
    let (b, s) = (Double(below) / 255, Double(above) / 255)
    let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
    let wanted = s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
    func gray(_ level: Int) -> RawPicture {
      .plain(.rgba, 8, 8, [UInt8(level), UInt8(level), UInt8(level), 255])
    }
    let got = try mixed(gray(below), gray(above), ["blend": "softLight"]).planes[0][3][8]
    #expect(abs(Double(got) - wanted * 255) <= 1, "\(got)")
  }

  @Test(
    "in YUV, red, green and blue are blended all the same", arguments: [PixelFormat.i420, .nv12])
  func yuv(_ layout: PixelFormat) throws {
    let ground = try filtered(
      opaque(.plain(.bgra, 32, 16, [200, 120, 60, 255])),
      "format=\(layout == .i420 ? "yuv420p" : "nv12")",
      as: layout)
    let inset = try filtered(
      opaque(.plain(.bgra, 16, 8, [90, 180, 220, 255])),
      "format=\(layout == .i420 ? "yuv420p" : "nv12")",
      as: layout)
    let got = try mixed(ground, inset, ["blend": "multiply", "x": 8, "y": 4])
    let wanted = try filtered(
      opaque(.plain(.bgra, 16, 8, [71, 85, 52, 255])),
      "format=\(layout == .i420 ? "yuv420p" : "nv12")",
      as: layout)
    for plane in got.planes.indices {
      let step = plane == 0 ? 1 : 2
      let bytes = plane > 0 && layout == .nv12 ? 2 : 1
      for (row, line) in got.planes[plane].enumerated() {
        for (column, byte) in line.enumerated() {
          let isInside =
            (4 / step..<12 / step).contains(row) && (8 / step..<24 / step).contains(column / bytes)
          let other =
            isInside ? wanted.planes[plane][0][column % bytes] : ground.planes[plane][row][column]
          #expect(abs(Int(byte) - Int(other)) <= (isInside ? 2 : 0), "\(plane) \(row) \(column)")
        }
      }
    }
  }

  /// How much of a pixel is in a rectangle with round corners, by 64 points of it.
  private func coverage(_ column: Int, _ row: Int, _ width: Double, _ height: Double, _ r: Double)
    -> Double
  {
    var inside = 0
    for point in 0..<64 {
      let x = Double(column) + (Double(point % 8) + 0.5) / 8
      let y = Double(row) + (Double(point / 8) + 0.5) / 8
      let dx = max(r - x, x - (width - r), 0), dy = max(r - y, y - (height - r), 0)
      if dx * dx + dy * dy <= r * r { inside += 1 }
    }
    return Double(inside) / 64
  }

  @Test("corners are round, and the ground shows in them")
  func corners() throws {
    let ground = RawPicture.plain(.i420, 64, 48, [40, 128, 128])
    let inset = RawPicture.plain(.i420, 32, 24, [200, 128, 128])
    let got = try mixed(ground, inset, ["x": 16, "y": 12, "radius": 9])
    for (row, line) in got.planes[0].enumerated() {
      for (column, value) in line.enumerated() {
        let isInside = (12..<36).contains(row) && (16..<48).contains(column)
        let part = isInside ? coverage(column - 16, row - 12, 32, 24, 9) : 0
        #expect(abs(Double(value) - (40 + 160 * part)) < 12, "\(column) \(row) \(value)")
        let isCorner = abs(column - 32) > 6 && abs(row - 24) > 2
        if !isCorner { #expect(value == (isInside ? 200 : 40)) }
      }
    }
  }

  @Test("a border is inside of the edges, and beyond the frame nothing is drawn")
  func border() throws {
    let ground = RawPicture.plain(.rgba, 24, 24, [0, 0, 0, 255])
    let inset = RawPicture.plain(.rgba, 16, 16, [0, 0, 200, 255])
    let got = try mixed(
      ground, inset, ["x": 12, "y": -4, "border": 3, "borderColor": "ff8000"])
    for (row, line) in got.planes[0].enumerated() {
      for column in 0..<24 {
        let (x, y) = (column - 12, row + 4)
        let isInside = (0..<16).contains(x) && (0..<16).contains(y)
        let isPicture = (3..<13).contains(x) && (3..<13).contains(y)
        let wanted: [UInt8] =
          isPicture ? [0, 0, 200, 255] : isInside ? [255, 128, 0, 255] : [0, 0, 0, 255]
        #expect(Array(line[column * 4..<column * 4 + 4]) == wanted, "\(column) \(row)")
      }
    }
  }

  @Test("they change while the graph runs")
  func live() throws {
    let harness = NodeHarness(MixVideo(), inputs: ["in", "in.2"])
    func push(_ time: Double) throws {
      try harness.push(
        RawPicture.plain(.bgra, 8, 8, [100, 100, 100, 255]).sample(at: time), to: "in")
      try harness.push(
        RawPicture.plain(.bgra, 8, 8, [255, 51, 0, 255]).sample(at: time), to: "in.2")
    }
    try push(0)
    #expect(harness.set("places", to: ["in.2": ["blend": "multiply"]]))
    try push(0.04)
    let rows = try harness.samples().map { try #require(RawPicture($0)).planes[0][4] }
    #expect(rows.map { Array($0[0..<3]) } == [[255, 51, 0], [100, 20, 0]])
  }

  @Test(
    "what isn't a mode, a colour or a length is refused",
    arguments: [
      ["blend": "mulitply"], ["blend": 1], ["radius": -1], ["border": 1.5], ["borderColor": "red"],
    ] as [[String: JSONValue]])
  func problems(_ place: [String: JSONValue]) {
    let problem = MixVideo.with { $0.places = ["in.2": .object(place)] }.problem
    #expect(problem?.key == "places.in.2")
  }
}

/// What ffmpeg makes of a picture in another layout.
private func filtered(_ picture: RawPicture, _ filter: String, as layout: PixelFormat) throws
  -> RawPicture
{
  let folder = try TestFolder()
  let (width, height) = (picture.format.width, picture.format.height)
  let data = try tool(
    "ffmpeg",
    [
      "-v", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", "bgra", "-s", "\(width)x\(height)",
      "-i", try folder.write(picture.bytes, to: "in.raw"), "-vf", filter, "-f", "rawvideo", "-",
    ])
  return RawPicture(VideoFormat(layout, width: width, height: height), bytes: Array(data))
}
