import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct QueueTests {
  private let picture = FormatConstraint.video(
    [.i420], width: 1280, height: 720, frameRate: Rational(30))
  private let sound = FormatConstraint.audio([.s16], sampleRates: [48_000], channels: [2])

  private func policy(_ plan: Plan, to node: String, _ port: String = "in") -> QueuePolicy? {
    let wire = plan.wires.first { $0.to == PortReference(node, port) }
    guard case .queue(let policy) = wire?.lowering else { return nil }
    return policy
  }

  /// A recording: camera and microphone, each with an encoder, into one movie.
  private func recording(lookahead: Double, isLive: Bool = true) -> Sketch {
    var sketch = Sketch()
    sketch.add("camera", FakeElement<SourceTag>.self, [output(picture)], isLive: isLive)
    sketch.add("microphone", FakeElement<SourceTag>.self, [output(sound)], isLive: isLive)
    sketch.add(
      "video", FakeElement<EncoderTag>.self,
      [input(.video()), output(.encoded(.h264), follows: "in")], latency: lookahead)
    sketch.add(
      "audio", FakeElement<EncoderTag>.self,
      [input(.audio()), output(.encoded(.aac), follows: "in")])
    sketch.add(
      "movie", FakeElement<SinkTag>.self,
      [input(.encoded(.h264), "video"), input(.encoded(.aac), "audio")])
    sketch.wire("camera -> video -> movie.video", "microphone -> audio -> movie.audio")
    return sketch
  }

  @Test func `the shorter path holds the delay of the longer`() throws {
    let plan = try Plan(recording(lookahead: 2, isLive: false).graph)
    let (video, audio) = (policy(plan, to: "movie", "video"), policy(plan, to: "movie", "audio"))
    // Beyond the window, both hold a group of frames that are presented in another order.
    #expect(video?.interleavingWindow.seconds == 1.1 && video?.time.seconds == 2.8)
    #expect(audio?.time.seconds == 4.8)
    #expect(audio?.interleavingWindow.seconds == 3.1)
    #expect(audio?.firstSampleTimeout?.seconds == 5)
    #expect(audio?.dropsWhenNotReady == false)
  }

  @Test func `a device that falls silent holds up no other`() throws {
    let plan = try Plan(recording(lookahead: 2).graph)
    for port in ["video", "audio"] {
      #expect(policy(plan, to: "movie", port)?.interleavingWindow.seconds == 86_400)
    }
    // What may still come from the longer path is held as before.
    #expect(policy(plan, to: "movie", "audio")?.time.seconds == 3.1)
  }

  @Test func `fewer frames take longer, where memory suffices for that`() throws {
    var sketch = Sketch()
    sketch.add("camera", FakeElement<SourceTag>.self, [output(picture)], isLive: true)
    sketch.add(
      "slow", FakeElement<EffectTag>.self,
      [input(.video()), output(.video(), follows: "in")], latency: 4)
    sketch.add(
      "mix", FakeElement<SinkTag>.self, [input(.video(), "a"), input(.video(), "b")])
    sketch.wire("camera -> slow -> mix.a", "camera -> mix.b")
    // 4 s of raw video fit, and 8 s don't.
    for (steps, count) in [(nil, 0), ([], 0), ([EconomyStep.previews], 0)] {
      sketch.whenSlow = steps
      let plan = try Plan(sketch.graph)
      let time = policy(plan, to: "mix", "b")?.time.seconds ?? 0
      #expect(plan.steps.count == count && abs(time - 5 - 1 / 30.0) < 1e-6)
    }
    sketch.whenSlow = [.frameRate]
    #expect(throws: PlanError.self) { try Plan(sketch.graph) }
  }

  @Test func `encoded sound can wait long for slow pictures`() throws {
    var sketch = recording(lookahead: 0)
    // 60 frames of one picture a second, and sound beside them.
    try change(&sketch) { $0.fakeFrames = 1800 }
    let bytes = policy(try Plan(sketch.graph), to: "movie", "audio")?.bytes
    #expect(bytes.map { $0 > 60 * 192 << 10 && $0 < 62 * 192 << 10 } == true)
    // 50 pictures of ten seconds.
    try change(&sketch) { $0.fakeFrames = 15_000 }
    let time = policy(try Plan(sketch.graph), to: "movie", "audio")?.time.seconds
    #expect(time.map { $0 > 500 } == true)
    let raw = 32 * 192_000.0
    var flac = FormatConstraint.encoded(.flac)
    (flac.sampleRates, flac.channels) = ([192_000], [8])
    #expect(FormatSize(flac).bytes(in: 1_000_000_000) == raw)
  }

  @Test func `raw samples of live sources are dropped right behind them`() throws {
    let plan = try Plan(recording(lookahead: 0).graph)
    #expect(policy(plan, to: "video")?.dropsWhenNotReady == true)
    #expect(policy(plan, to: "audio")?.dropsWhenNotReady == true)
    #expect(policy(plan, to: "video")?.time.seconds == 1)
    #expect(policy(plan, to: "video")?.samples == 32)
    #expect(policy(plan, to: "video")?.bytes == 31 * 1280 * 720 * 3 / 2)
    let offline = try Plan(recording(lookahead: 0, isLive: false).graph)
    #expect(policy(offline, to: "video") == nil)
  }

  @Test func `encoded samples of a live source wait`() throws {
    var sketch = Sketch()
    sketch.add("camera", FakeElement<SourceTag>.self, [output(.encoded(.h264))], isLive: true)
    sketch.add("sink", FakeElement<SinkTag>.self, [input(.encoded(.h264))])
    sketch.wire("camera -> sink")
    #expect(policy(try Plan(sketch.graph), to: "sink")?.dropsWhenNotReady == false)
  }

  @Test func `forks, entries and exits have queues, straight wires none`() throws {
    var sketch = Sketch()
    sketch.add("entry", FakeEntry.self, [output(sound)])
    sketch.add("element", FakeElement<EffectTag>.self, through(sound))
    sketch.add("exit", FakeExit.self, [input(sound)])
    sketch.add("file", FakeElement<SinkTag>.self, [input(sound)])
    sketch.add("after", FakeElement<EffectTag>.self, through(sound))
    sketch.wire("entry -> element -> exit", "element -> after -> file")
    let plan = try Plan(sketch.graph)
    #expect(policy(plan, to: "element") != nil)
    #expect(policy(plan, to: "exit") != nil)
    #expect(policy(plan, to: "after") != nil)
    #expect(policy(plan, to: "file") == nil)
  }

  @Test func `a delay that memory can't hold is an error that names the wire`() throws {
    var sketch = Sketch()
    let large = FormatConstraint.video([.bgra], width: 3840, height: 2160, frameRate: Rational(60))
    for name in ["a", "b"] { sketch.add(name, FakeElement<SourceTag>.self, [output(large)]) }
    sketch.add("slow", FakeElement<EffectTag>.self, through(large), latency: 1)
    sketch.add("mix", FakeElement<SinkTag>.self, [input(large, "x"), input(large, "y")])
    sketch.wire("a -> slow -> mix.x", "b -> mix.y")
    let error = #expect(throws: PlanError.self) { try Plan(sketch.graph) }
    let text = "\(try #require(error))"
    #expect(text.hasPrefix("mix.y would have to wait 1 s"))
    #expect(text.contains("256 MiB"))
  }

  @Test func `every queue is bounded and holds two samples`() throws {
    var sketch = Sketch()
    let huge = FormatConstraint.video([.rgba], width: 32768, height: 32768)
    for (name, format) in [("a", huge), ("b", FormatConstraint(.any))] {
      sketch.add("\(name)1", FakeElement<SourceTag>.self, [output(format)], isLive: true)
      sketch.add("\(name)2", FakeElement<SinkTag>.self, [input(format)])
      sketch.wire("\(name)1 -> \(name)2")
    }
    let plan = try Plan(sketch.graph)
    #expect(policy(plan, to: "a2")?.bytes == 2 * 32768 * 32768 * 4)
    #expect(policy(plan, to: "b2")?.bytes == QueueBounds.relaxedByteLimit)
  }

  /// Changes the encoder of pictures.
  private func change(
    _ sketch: inout Sketch, _ body: (inout FakeElement<EncoderTag>) -> Void
  ) throws {
    let old = sketch.nodes[2]
    var node = try #require(old.node as? FakeElement<EncoderTag>)
    body(&node)
    sketch.nodes[2] = GraphNode(
      name: old.name, type: old.type, parameters: [:], node: node, ports: old.ports, place: nil)
  }

  @Test func `a lookahead in frames counts at the rate that was negotiated`() throws {
    var sketch = recording(lookahead: 0)
    try change(&sketch) { $0.fakeFrames = 60 }
    #expect(policy(try Plan(sketch.graph), to: "movie", "audio")?.time.seconds == 3.1)
  }

  @Test(arguments: [
    MediaTime(value: -1, timescale: 1), MediaTime(value: 1, timescale: 0),
    MediaTime(value: .max, timescale: 1),
  ]) func `a latency is a length of time`(latency: MediaTime) throws {
    var sketch = recording(lookahead: 0)
    try change(&sketch) { $0.fakeLatency = latency }
    #expect(throws: PlanError.latency(node: "video")) { try Plan(sketch.graph) }
  }

  @Test func `a circle is an error, not a hang`() throws {
    var sketch = Sketch()
    for name in ["a", "b"] { sketch.add(name, FakeElement<EffectTag>.self, through(sound)) }
    sketch.wire("a -> b -> a")
    #expect(throws: PlanError.cycle(["a", "b"])) { try Plan(sketch.graph) }
  }
}
