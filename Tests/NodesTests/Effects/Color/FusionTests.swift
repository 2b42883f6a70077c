import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("Neighbouring point effects run as one", .inTurn) struct FusionTests {
  private func leaders(_ json: String) throws -> [String: String] {
    let nodes = try plan(json, catalog: .builtIn.withTesting()).nodes
    return Dictionary(
      uniqueKeysWithValues: nodes.compactMap { node in
        node.leader.map { (node.name, $0) }
      })
  }

  @Test func chainsAreDoneByTheirFirst() throws {
    let leaders = try leaders(
      """
      { "nodes": { "count": { "type": "counterFrames" },
          "a": { "type": "sepia" }, "b": { "type": "gamma", "gamma": 2 },
          "c": { "type": "photoFilter" }, "out": { "type": "nullSink" } },
        "wires": ["count -> a -> b -> c -> out"] }
      """)
    #expect(leaders == ["b": "a", "c": "a"])
  }

  @Test func whatOthersSeeIsNotSkipped() throws {
    let leaders = try leaders(
      """
      { "nodes": { "count": { "type": "counterFrames" },
          "a": { "type": "sepia" }, "b": { "type": "invert" }, "pass": { "type": "pass" },
          "c": { "type": "invert" }, "d": { "type": "invert" },
          "out": { "type": "nullSink" }, "other": { "type": "nullSink" } },
        "wires": ["count -> a -> b -> pass -> c -> d -> out", "a -> other"] }
      """)
    #expect(leaders == ["d": "c"])
  }

  @Test(
    "a chain is the effects one after another, without rounding between",
    arguments: [
      PixelFormat.i420, .nv12, .bgra,
    ])
  func chain(_ layout: PixelFormat) throws {
    // Each alone would round, and would limit what the next one brings back.
    let members = ["exposure", "saturation", "exposure", "gamma"].enumerated().map { index, name in
      var node = Catalog.builtIn[name]!.make()
      let values: [(String, JSONValue)] = [
        ("stops", 3), ("amount", 0.4), ("stops", -3), ("gamma", 1.5),
      ]
      let isTaken = Catalog.builtIn[name]!.set(values[index].0, to: values[index].1, of: &node)
      #expect(isTaken)
      return NodeMember("\(index)", Catalog.builtIn[name]!, node)
    }
    let picture = ColorPicture(format: VideoFormat(layout, width: 67, height: 35))
    let harness = NodeHarness(ColorChain(members))
    try harness.push([CollectedSample(picture.sample())])
    let exact = NodeHarness(Composed(effects: members.compactMap(\.node.work.pointEffect)))
    try exact.push([CollectedSample(picture.sample())])
    let difference = PictureDifference(
      try pictureBytes(harness.samples()[0].sample), try pictureBytes(exact.samples()[0].sample))
    #expect(difference.mean <= 0.5 && difference.worst <= 3, "\(difference)")
    #expect(
      try PictureDifference(
        pictureBytes(harness.samples()[0].sample), pictureBytes(picture.sample())
      ).mean > 5)
  }

  /// Several effects in one function, for comparison.
  struct Composed: PointEffect {
    var effects: [any PointEffect] = []
    static let declaration = NodeDeclaration<Composed>(
      "composed", role: .effect, help: "", example: "")
    func color(_ color: RGB) -> RGB { effects.reduce(color) { $1.color($0) } }
  }
}

extension RunTests {
  @Suite("Point effects in a running graph") struct FusedRunTests {
    @Test func aLaterEffectOfAChainChangesAtItsFrame() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "count": { "type": "counterFrames", "frames": 60, "pixelFormat": "bgra" },
            "mask": { "type": "channelMask", "blue": false },
            "look": { "type": "photoFilter", "intensity": 0 },
            "again": { "type": "channelMask" },
            "out": { "type": "appOutput" } },
          "wires": ["count -> mask -> look -> again -> out"] }
        """, catalog: .builtIn.withTesting())
      try run.set("again.red", false, at: MediaTime(value: 1, timescale: 1))
      let output = try run.output("out")
      run.start()
      var (red, blue): ([Bool], [Bool]) = ([], [])
      while let sample = await output.next() {
        func has(_ channel: Int) -> Bool {
          sample.withBytes { bytes in
            stride(from: channel, to: bytes.count, by: 4).contains { bytes[$0] != 0 }
          }
        }
        red.append(has(2))
        blue.append(has(0))
      }
      let report = try await run.end()
      // Number 0 is black.
      #expect(red.indices.filter { red[$0] } == Array(1..<30))
      #expect(!blue.contains(true))
      #expect(report.changes.map(\.node) == ["again"])
      for wire in ["count.out -> mask.in", "mask.out -> look.in", "again.out -> out.in"] {
        #expect(report.wires[wire]?.samplesIn == 60, "\(wire)")
      }
    }
  }
}
