import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("Picture in picture, crossfade and time shift", .inTurn)
struct CompositionTests {
  private func plain(_ luma: UInt8, _ width: Int, _ height: Int) -> RawPicture {
    .plain(.i420, width, height, [luma, 128, 128])
  }

  private func luma(_ samples: [CollectedSample]) throws -> [UInt8] {
    try samples.map { try #require(RawPicture($0)).planes[0][0][0] }
  }

  private func mix(_ places: [String: JSONValue], inputs: [String] = ["in", "in.2"])
    -> NodeHarness<MixVideo>
  {
    NodeHarness(MixVideo.with { $0.places = places }, inputs: inputs)
  }

  @Test("a picture lies where it is put, scaled, and the ground shows around it")
  func place() throws {
    let harness = mix(["in.2": .object(["x": .number(8), "y": .number(4), "width": .number(16)])])
    try harness.push(plain(50, 64, 32).sample(), to: "in")
    try harness.push(plain(200, 32, 16).sample(), to: "in.2")
    try harness.finish()
    let rows = try #require(try harness.samples().first.flatMap(RawPicture.init)).planes[0]
    for (row, values) in rows.enumerated() {
      for (column, value) in values.enumerated() {
        let isInside = (8..<24).contains(column) && (4..<12).contains(row)
        #expect(value == (isInside ? 200 : 50), "\(column), \(row)")
      }
    }
  }

  @Test("opacity mixes, order decides who is on top, and what is outside is cut")
  func order() throws {
    let half = mix(["in.2": .object(["opacity": .number(0.5)])])
    try half.push(plain(50, 16, 16).sample(), to: "in")
    try half.push(plain(150, 16, 16).sample(), to: "in.2")
    #expect(try luma(half.samples()) == [100])
    for (z, wanted) in [(1, UInt8(200)), (-1, 150)] {
      let harness = mix(
        ["in.2": .object([:]), "in.3": .object(["z": .number(Double(z)), "x": .number(-8)])],
        inputs: ["in", "in.2", "in.3"])
      try harness.push(plain(50, 16, 16).sample(), to: "in")
      try harness.push(plain(150, 16, 16).sample(), to: "in.2")
      try harness.push(plain(200, 16, 16).sample(), to: "in.3")
      let row = try #require(try harness.samples().first.flatMap(RawPicture.init)).planes[0][0]
      #expect(row[0] == wanted && row[15] == 150)
    }
  }

  @Test("every frame of the ground leaves, with what the others show at its time")
  func times() throws {
    let harness = mix([:])
    // The other is half as fast, begins later and ends earlier.
    for number in 0..<10 {
      try harness.push(plain(10, 4, 4).sample(at: Double(number) * 0.04), to: "in")
    }
    #expect(try harness.samples().isEmpty)
    for number in 1..<4 {
      let picture = plain(UInt8(100 + number), 4, 4)
      try harness.push(picture.sample(at: Double(number) * 0.08, lasting: 0.08), to: "in.2")
    }
    #expect(try luma(harness.samples()) == [10, 10, 101, 101, 102, 102, 103, 103])
    try harness.finish("in.2")
    #expect(try luma(harness.samples()).suffix(2) == [10, 10])
    try harness.finish("in")
    let samples = try harness.samples()
    #expect(samples.count == 10 && harness.hasEnded)
    for (number, sample) in samples.enumerated() {
      #expect(abs(sample.presentationTime.seconds - Double(number) * 0.04) < 1e-6)
    }
  }

  @Test("the mix ends with its ground")
  func end() throws {
    let harness = mix([:])
    try harness.push(plain(10, 4, 4).sample(), to: "in")
    try harness.finish("in")
    #expect(try harness.samples().isEmpty)
    try harness.push(plain(100, 4, 4).sample(at: 0), to: "in.2")
    #expect(try luma(harness.samples()) == [100])
    #expect(throws: (any Error).self) {
      try harness.push(self.plain(100, 4, 4).sample(at: 0.04), to: "in.2")
    }
  }

  @Test("a picture of another layout is converted")
  func layouts() throws {
    let harness = mix(["in.2": .object(["width": .number(8), "height": .number(8)])])
    try harness.push(plain(50, 16, 16).sample(), to: "in")
    try harness.push(
      RawPicture.plain(.bgra, 32, 32, [255, 255, 255, 255]).sample(), to: "in.2")
    let rows = try #require(try harness.samples().first.flatMap(RawPicture.init)).planes[0]
    #expect(rows[2][2] == 235 && rows[12][12] == 50)
  }

  @Test("rows that lie further apart give the same picture")
  func padding() throws {
    for layout in FrameEffectCase.layouts {
      let ground = RawPicture.noise(layout, 33, 19)
      let inset = RawPicture.noise(layout, 17, 11, seed: 2)
      func mixed(_ padding: Int, _ other: Int) throws -> RawPicture? {
        let place: JSONValue = ["x": 6, "y": 2, "opacity": 0.5]
        let harness = mix(["in.2": place])
        try harness.push(ground.sample(padding: padding), to: "in")
        try harness.push(inset.sample(padding: other), to: "in.2")
        try harness.finish()
        return try harness.samples().first.flatMap(RawPicture.init)
      }
      let tight = try mixed(0, 0)
      #expect(tight != nil && tight != ground)
      for (padding, other) in [(52, 0), (0, 52), (12, 52)] {
        #expect(try mixed(padding, other) == tight, "\(layout)")
      }
      func faded(_ padding: Int, _ other: Int) throws -> RawPicture? {
        let harness = fade(at: 0, 0.08)
        let next = RawPicture.noise(layout, 33, 19, seed: 2)
        for time in [0, 0.04] {
          try harness.push(ground.sample(padding: padding, at: time), to: "from")
          try harness.push(next.sample(padding: other, at: time), to: "to")
        }
        try harness.finish()
        return try harness.samples().dropFirst().first.flatMap(RawPicture.init)
      }
      let plain = try faded(0, 0)
      #expect(plain != nil && plain != ground)
      #expect(try faded(52, 12) == plain, "\(layout)")
    }
  }

  @Test("places are read strictly")
  func problems() {
    let wrong: [[String: JSONValue]] = [
      ["in": .object([:])], ["other": .object([:])], ["in.2": .number(1)],
      ["in.2": .object(["x": .string("4")])], ["in.2": .object(["opacity": .number(2)])],
      ["in.2": .object(["left": .number(2)])],
    ]
    for places in wrong { #expect(MixVideo.with { $0.places = places }.problem != nil) }
    #expect(MixVideo.with { $0.places = ["in.3": .object(["z": .number(2)])] }.problem == nil)
  }

  private func fade(at: Double, _ duration: Double) -> NodeHarness<Crossfade> {
    NodeHarness(Crossfade.with { ($0.at, $0.duration) = (at, duration) })
  }

  @Test("a crossfade goes from the one to the other in equal steps")
  func dissolve() throws {
    let harness = fade(at: 0.2, 0.4)
    for number in 0..<10 {
      if number < 6 {
        try harness.push(plain(20, 4, 4).sample(at: Double(number) * 0.1, lasting: 0.1), to: "from")
      }
      try harness.push(plain(220, 4, 4).sample(at: Double(number) * 0.1, lasting: 0.1), to: "to")
    }
    try harness.finish()
    let samples = try harness.samples()
    #expect(try luma(samples) == [20, 20, 20, 70, 120, 170, 220, 220, 220, 220])
    #expect(
      samples.map { ($0.presentationTime.seconds * 10).rounded() } == (0..<10).map(Double.init))
  }

  @Test("frames of the one leave before it, and those of the other behind it", arguments: [0, 1])
  func ends(_ first: Int) throws {
    // Whoever comes first, the result is the same.
    let harness = fade(at: 0.3, 0)
    let push = { (port: String, luma: UInt8, range: Range<Int>) in
      for number in range {
        try harness.push(
          self.plain(luma, 4, 4).sample(at: Double(number) * 0.1, lasting: 0.1), to: port)
      }
    }
    if first == 0 { try push("from", 20, 0..<3) }
    try push("to", 220, 0..<6)
    if first == 1 { try push("from", 20, 0..<3) }
    try harness.finish("from")
    try harness.finish("to")
    #expect(try luma(harness.samples()) == [20, 20, 20, 220, 220, 220])
  }

  @Test("where the one ends early, the other goes on from there")
  func early() throws {
    let harness = fade(at: 0.2, 1)
    for number in 0..<4 {
      try harness.push(plain(20, 8, 8).sample(at: Double(number) * 0.1, lasting: 0.1), to: "from")
    }
    try harness.finish("from")
    for number in 0..<8 {
      try harness.push(plain(220, 16, 8).sample(at: Double(number) * 0.1, lasting: 0.1), to: "to")
    }
    try harness.finish("to")
    let samples = try harness.samples()
    #expect(samples.count == 8)
    // The other is fitted, with bars at the top and the bottom.
    let last = try #require(samples.last.flatMap(RawPicture.init))
    #expect(
      last.format.width == 8
        && last.planes[0].map { $0[4] } == [16, 16, 220, 220, 220, 220, 16, 16])
  }

  @Test("a time shift moves samples later")
  func shift() throws {
    let harness = NodeHarness(TimeShift.with { $0.seconds = 1.5 })
    try harness.push(plain(1, 2, 2).sample(at: 0.5))
    let time = try harness.samples().first?.presentationTime
    #expect(time.map { abs($0.seconds - 2) < 1e-6 } == true)
  }
}
