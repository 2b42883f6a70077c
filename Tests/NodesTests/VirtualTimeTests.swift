import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("A live graph in virtual time", .inTurn)
struct VirtualTimeTests {
  private func video(seconds: Double) -> TestVideo {
    var video = TestVideo()
    (video.width, video.height, video.live, video.seconds) = (64, 48, true, seconds)
    return video
  }

  private func audio(seconds: Double) -> TestAudio {
    var audio = TestAudio()
    (audio.live, audio.seconds) = (true, seconds)
    return audio
  }

  @Test("sixty seconds of live pictures and sound take a few, and nothing is dropped")
  func fast() async throws {
    var graph = GraphBuilder(catalog: .builtIn)
    let video = graph.add("video", video(seconds: 60))
    let audio = graph.add("audio", audio(seconds: 60))
    let (pictures, sound) = (graph.add("pictures", NullSink()), graph.add("sound", NullSink()))
    let gain = graph.add("gain", Gain(decibels: -6))
    graph.connect(video.output, to: pictures.input)
    graph.connect(audio.output, to: gain.input)
    graph.connect(gain.output, to: sound.input)
    let report = try await graph.build(in: LiveEnvironment()).runInVirtualTime()
    try expectNothingDropped(report)
    try expectSamples(1800, on: "video.out -> pictures.in", of: report)
    #expect(report.wallSeconds < 30)
  }

  @Test("the same graph gives the same samples at the same times each time")
  func repeatable() async throws {
    let first = try await times()
    #expect(first.count == 60)
    for _ in 0..<3 { #expect(try await times() == first) }
  }

  private func times() async throws -> [MediaTime] {
    var graph = GraphBuilder(catalog: .builtIn)
    let video = graph.add("video", video(seconds: 2))
    let exit = graph.add("exit", AppOutput())
    graph.connect(video.output, to: exit.input)
    var configuration = Pipeline.Configuration()
    configuration.clock = .virtual
    let pipeline = try Pipeline(
      Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment(),
      configuration: configuration)
    let output = try pipeline.output("exit")
    pipeline.start()
    var times: [MediaTime] = []
    while let sample = await output.next() { times.append(sample.presentationTime) }
    try await expectNothingDropped(pipeline.end())
    return times
  }

  @Test("a source that ends before the others doesn't hold the time up")
  func unequal() async throws {
    var graph = GraphBuilder(catalog: .builtIn)
    let short = graph.add("short", video(seconds: 1))
    let long = graph.add("long", video(seconds: 5))
    let (one, two) = (graph.add("one", NullSink()), graph.add("two", NullSink()))
    graph.connect(short.output, to: one.input)
    graph.connect(long.output, to: two.input)
    let report = try await graph.build(in: LiveEnvironment()).runInVirtualTime()
    try expectSamples(30, on: "short.out -> one.in", of: report)
    try expectSamples(150, on: "long.out -> two.in", of: report)
  }

  @Test("an endless live graph ends when it is asked to, and can be cancelled")
  func endless() async throws {
    for isCancelled in [false, true] {
      var graph = GraphBuilder(catalog: .builtIn)
      var source = video(seconds: 1)
      source.seconds = nil
      let video = graph.add("video", source)
      let exit = graph.add("exit", AppOutput())
      graph.connect(video.output, to: exit.input)
      var configuration = Pipeline.Configuration()
      configuration.clock = .virtual
      let pipeline = try Pipeline(
        Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment(),
        configuration: configuration)
      let output = try pipeline.output("exit")
      pipeline.start()
      var count = 0
      while let _ = await output.next() {
        count += 1
        if count == 100 { isCancelled ? pipeline.cancel() : pipeline.finish() }
      }
      #expect(count >= 100)
      if isCancelled {
        await #expect(throws: RunError.self) { try await pipeline.end() }
      } else {
        try await expectBalanced(pipeline.end())
      }
    }
  }
}
