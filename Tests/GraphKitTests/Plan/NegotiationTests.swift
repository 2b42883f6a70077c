import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct NegotiationTests {
  /// A chain from a source through effects to an encoder, by what each of them takes.
  private func chain(
    _ source: [PixelFormat], _ effects: [[PixelFormat]], _ encoder: [PixelFormat]
  ) -> Sketch {
    var sketch = Sketch()
    sketch.add("source", FakeElement<SourceTag>.self, [output(.video(source))])
    for (number, formats) in effects.enumerated() {
      sketch.add("e\(number)", FakeSwift<EffectTag>.self, through(.video(formats)))
    }
    sketch.add(
      "encoder", FakeElement<EncoderTag>.self, [input(.video(encoder)), output(.encoded(.h264))])
    sketch.wire(
      (["source"] + effects.indices.map { "e\($0)" } + ["encoder"]).joined(separator: " -> "))
    return sketch
  }

  private func inserted(_ plan: Plan) -> [String] {
    plan.nodes.filter(\.isInserted).map(\.name)
  }

  @Test func `a source makes what the end of the chain wants`() throws {
    let plan = try chain([.bgra, .i420], [[], []], [.i420]).planned(Negotiate())
    #expect(inserted(plan).isEmpty)
    #expect(plan.wires.allSatisfy { $0.format.pixelFormats == [.i420] })
  }

  @Test func `one conversion stands as early as it can`() throws {
    let plan = try chain([.bgra], [[], [.i420, .bgra]], [.i420]).planned(Negotiate())
    #expect(inserted(plan) == ["convert:source-e0"])
    #expect(plan["convert:source-e0"]?.parameters == ["pixelFormat": .string("i420")])
    #expect(plan["convert:source-e0"]?.type.name == "videoConvert")
    #expect(plan.wires.map { $0.format.pixelFormats.first } == [.bgra, .i420, .i420, .i420])
    let node = try #require(plan["convert:source-e0"]?.node as? FakeVideoConvert)
    #expect(node.pixelFormat == "i420")
  }

  @Test func `an effect with a format of its own is converted for only where needed`() throws {
    let late = try chain([.bgra], [[], [.bgra], []], [.i420]).planned(Negotiate())
    #expect(inserted(late) == ["convert:e1-e2"])
    let both = try chain([.nv12], [[.bgra]], [.nv12]).planned(Negotiate())
    #expect(inserted(both) == ["convert:source-e0", "convert:e0-encoder"])
  }

  @Test func `no chain has more conversions than it must`() throws {
    let choices: [[PixelFormat]] = [[], [.i420], [.bgra], [.i420, .bgra], [.nv12, .bgra]]
    for source in choices {
      for first in choices {
        for second in choices {
          for end in choices {
            let plan = try chain(source, [first, second], end).planned(Negotiate())
            #expect(inserted(plan).count == fewest([source, first, second, end]))
            #expect(plan.wires.allSatisfy { wire in accepts(plan, wire) })
          }
        }
      }
    }
  }

  /// Whether both ends of a wire take what passes.
  private func accepts(_ plan: Plan, _ wire: PlanWire) -> Bool {
    let input = plan[wire.to.node]?.port(wire.to.port, .input)
    return wire.format.narrowed(by: input?.format ?? FormatConstraint(.audio)) == wire.format
  }

  /// The fewest conversions along a chain, by trying every format at every node.
  private func fewest(_ takes: [[PixelFormat]]) -> Int {
    let all: [PixelFormat] = [.i420, .bgra, .nv12]
    var costs = Dictionary(
      uniqueKeysWithValues: all.filter { takes[0].isEmpty || takes[0].contains($0) }.map { ($0, 0) }
    )
    for formats in takes.dropFirst() {
      let cheapest = costs.values.min() ?? 0
      costs = Dictionary(
        uniqueKeysWithValues: all.filter { formats.isEmpty || formats.contains($0) }.map {
          ($0, min(costs[$0] ?? .max, cheapest + 1))
        })
    }
    return costs.values.min() ?? 0
  }

  @Test func `only those branches of a fork are converted that differ from the rest`() throws {
    var sketch = chain([.i420, .bgra, .nv12], [[]], [.nv12])
    for (name, format) in [("a", PixelFormat.bgra), ("b", .i420), ("c", .i420)] {
      sketch.add(name, FakeElement<SinkTag>.self, [input(.video([format]))])
      sketch.wire("e0 -> \(name)")
    }
    let plan = try sketch.planned(Negotiate())
    #expect(inserted(plan) == ["convert:e0-encoder", "convert:e0-a"])
    #expect(plan.outputs(of: "source").map(\.format.pixelFormats) == [[.i420]])
  }

  @Test func `what costs no conversion upstream is preferred at a fork`() throws {
    var sketch = chain([.bgra], [[]], [.i420])
    sketch.add("sink", FakeElement<SinkTag>.self, [input(.video([.bgra]))])
    sketch.wire("e0 -> sink")
    #expect(inserted(try sketch.planned(Negotiate())) == ["convert:e0-encoder"])
  }

  @Test func `encoded media is decoded, and converted where the decoder promises nothing`() throws {
    var sketch = Sketch()
    var encoded = FormatConstraint.encoded(.aac)
    encoded.sampleRates = [44_100]
    sketch.add("file", FakeElement<SourceTag>.self, [output(encoded, "audio")])
    sketch.add("gain", FakeSwift<EffectTag>.self, through(.audio([.f32], layouts: [.interleaved])))
    sketch.add("meter", FakeSwift<SinkTag>.self, [input(.audio())])
    sketch.wire("file.audio -> gain -> meter")
    let plan = try sketch.planned(Negotiate())
    #expect(inserted(plan) == ["decode:file-gain", "convert:file-gain"])
    #expect(plan["decode:file-gain"]?.parameters == ["media": .string("audio")])
    #expect(plan.outputs(of: "gain").map(\.format.sampleRates) == [[44_100]])
    #expect(
      plan["convert:file-gain"]?.parameters
        == ["sampleFormat": .string("f32"), "layout": .string("interleaved")])
  }

  @Test func `branches that need the same decoder or converter share it`() throws {
    var sketch = Sketch()
    sketch.add("file", FakeElement<SourceTag>.self, [output(.encoded(.h264))])
    for (name, format) in [("a", PixelFormat.i420), ("b", .i420), ("c", .bgra)] {
      sketch.add(name, FakeElement<SinkTag>.self, [input(.video([format]))])
      sketch.wire("file -> \(name)")
    }
    let plan = try Plan(sketch.graph)
    #expect(inserted(plan) == ["decode:file-a", "convert:file-a", "convert:file-c"])
    #expect(plan.outputs(of: "decode:file-a").count == 2)
    #expect(plan.outputs(of: "convert:file-a").map(\.to.node) == ["a", "b"])
    #expect(plan.wires.count == 6)
    #expect(Set(plan.wires.map(\.to)).count == 6)
  }

  @Test func `what takes anything gets what the decoder gives`() throws {
    var sketch = Sketch()
    sketch.add("file", FakeElement<SourceTag>.self, [output(.encoded(.h264))])
    sketch.add("sink", FakeElement<SinkTag>.self, [input(.video())])
    sketch.wire("file -> sink")
    #expect(inserted(try sketch.planned(Negotiate())) == ["decode:file-sink"])
  }

  @Test func `a scaler's size is its own, the rest is handed on`() throws {
    var sketch = Sketch()
    sketch.add(
      "source", FakeElement<SourceTag>.self,
      [output(.video([.i420, .bgra], width: 1280, height: 720, frameRate: Rational(30)))])
    sketch.add(
      "scale", FakeElement<EffectTag>.self,
      [input(.video()), output(.video(width: 640, height: 360), follows: "in")])
    sketch.add(
      "sink", FakeElement<SinkTag>.self, [input(.video([.bgra], width: 640, height: 360))])
    sketch.wire("source -> scale -> sink")
    let plan = try sketch.planned(Negotiate())
    #expect(inserted(plan).isEmpty)
    let expected = FormatConstraint.video([.bgra], width: 640, height: 360, frameRate: Rational(30))
    #expect(plan.inputs(of: "sink").map(\.format) == [expected])
  }

  @Test func `a converter keeps what will do as it is`() throws {
    var sketch = Sketch()
    sketch.add(
      "source", FakeElement<SourceTag>.self,
      [output(.audio([.s16], sampleRates: [44_100], channels: [2]))])
    sketch.add(
      "sink", FakeElement<SinkTag>.self,
      [input(.audio([.f32, .f64], sampleRates: [48_000, 44_100], channels: [2]))])
    sketch.wire("source -> sink")
    let plan = try sketch.planned(Negotiate())
    #expect(plan["convert:source-sink"]?.parameters == ["sampleFormat": .string("f32")])
    #expect(plan.inputs(of: "sink").first?.format.sampleRates == [44_100])
  }

  @Test(arguments: [(6, 2), (1, 1), (2, 2)]) func `channels and rates become the nearest`(
    given: Int, made: Int
  ) throws {
    var sketch = Sketch()
    sketch.add(
      "source", FakeElement<SourceTag>.self,
      [output(.audio(sampleRates: [22_050], channels: [given]))])
    sketch.add(
      "sink", FakeElement<SinkTag>.self,
      [input(.audio(sampleRates: [48_000, 44_100], channels: [1, 2]))])
    sketch.wire("source -> sink")
    let plan = try sketch.planned(Negotiate())
    #expect(plan.inputs(of: "sink").first?.format.channels == [made])
    #expect(plan["convert:source-sink"]?.parameters["sampleRate"] == .number(44_100))
  }

  @Test func `what can't be converted or made is an error with its remedy`() throws {
    var sketch = chain([.bgra], [], [.i420])
    sketch.catalog = Catalog()
    #expect(
      throws: PlanError.missingType(
        "videoConvert", from: PortReference("source", "out"), to: PortReference("encoder", "in"))
    ) { try sketch.planned(Negotiate()) }
    var raw = Sketch()
    raw.add("source", FakeElement<SourceTag>.self, [output(.video([.i420]))])
    raw.add("sink", FakeElement<SinkTag>.self, [input(.encoded(.h264))])
    raw.wire("source -> sink")
    let error = #expect(throws: PlanError.self) { try raw.planned(Negotiate()) }
    #expect("\(try #require(error))".contains("wire an encoder"))
  }
}
