import Nodes
import TestTools
import Testing

@testable import GraphKit

/// What follows from a plan before any element is made: without GStreamer, on a machine made up.
@Suite(.inTurn) struct BlueprintTests {
  private func blueprint(_ nodes: String, _ wires: String, _ environment: FakeEnvironment)
    throws -> Blueprint
  {
    let json = "{ \"nodes\": { \(nodes) }, \"wires\": [\(wires)] }"
    let graph = try Graph(
      checking: GraphDocument(json: json), catalog: .builtIn, environment: environment)
    return try Blueprint(Plan(graph), environment: environment)
  }

  private func wire(_ blueprint: Blueprint, from node: String, to port: String? = nil) throws
    -> PlanWire
  {
    try #require(
      blueprint.plan.wires.first { wire in
        wire.from.node == node && (port.map { wire.to.description == $0 } ?? true)
      })
  }

  private func recording(_ movie: String = "", live: Bool = true) throws -> Blueprint {
    try blueprint(
      """
      "camera": { "type": "testVideo", "live": \(live) },
      "tone": { "type": "testAudio", "live": \(live) },
      "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
      "movie": { "type": "mp4Sink", "path": "a.mp4"\(movie) }
      """, "\"camera -> video -> movie.video\", \"tone -> audio -> movie.audio\"",
      FakeEnvironment())
  }

  private func copy(edit: StreamEdit? = nil, _ movie: String = "") throws -> Blueprint {
    let streams = [(Codec.h264, "0"), (.aac, "1")].map { codec, name in
      DiscoveredStream(
        identifier: name, format: .encoded(EncodedFormat(codec)), duration: nil,
        edit: codec == .h264 ? edit : nil)
    }
    return try blueprint(
      """
      "file": { "type": "file", "path": "b.mp4" },
      "movie": { "type": "mp4Sink", "path": "a.mp4"\(movie) }
      """, "\"file.video -> movie.video\", \"file.audio -> movie.audio\"",
      FakeEnvironment(files: ["b.mp4": streams]))
  }

  private func sessions(_ blueprint: Blueprint) throws -> [SessionRole] {
    let wires = blueprint.plan.inputs(of: "movie")
    return wires.map { blueprint.session(of: $0, among: wires) }
  }

  @Test func audioWaitsForTheVideoOfARecordingBehindSilenceWhereItIsLive() throws {
    let live = try recording()
    #expect(try sessions(live) == [.starts, .waits(isLive: true)])
    #expect(live.opensWithSilence(try wire(live, from: "tone")))
    #expect(!live.opensWithSilence(try wire(live, from: "camera")))
    let slow = try recording(#", "seconds": 2"#, live: false)
    #expect(try sessions(slow) == [.starts, .waits(isLive: false)])
    #expect(try sessions(recording(live: false)) == [.starts, .waitsWhole])
    #expect(!slow.opensWithSilence(try wire(slow, from: "tone")))
  }

  @Test func aLimitEndsTheWiresOfSourcesAndCountsFromTheVideo() throws {
    let limited = try recording(#", "seconds": 2"#, live: false)
    func roles(_ source: String) throws -> [LimitGate.Role]? {
      try limited.limits[wire(limited, from: source)]?.map(\.role)
    }
    #expect(try roles("camera") == [LimitGate.Role(starts: true)])
    #expect(try roles("tone") == [LimitGate.Role(waits: true)])
    #expect(try recording().limits.isEmpty)
  }

  @Test func aWireEndsWithTheLongestSinkThatItLeadsTo() throws {
    func limitedSources(_ sinks: String, _ wires: String) throws -> Set<String> {
      let blueprint = try blueprint(
        """
        "camera": { "type": "testVideo" }, "look": { "type": "channelMask", "blue": false },
        "video": { "type": "h264Encoder" },
        "movie": { "type": "mp4Sink", "path": "a.mp4", "seconds": 2 }, \(sinks)
        """, "\"camera -> look -> video -> movie.video\", \"\(wires)\"", FakeEnvironment())
      return Set(blueprint.limits.filter { !$0.value.isEmpty }.keys.map(\.from.node))
    }
    // A preview ends with the recording beside it; a sink that takes all there is, or more, doesn't.
    #expect(
      try limitedSources(#""screen": { "type": "preview", "path": "a.jpg" }"#, "look -> screen")
        == ["camera"])
    #expect(
      try limitedSources(#""shown": { "type": "nullSink" }"#, "look -> shown") == ["look"])
    #expect(
      try limitedSources(
        #""b": { "type": "mp4Sink", "path": "b.mp4", "seconds": 3 }"#, "video -> b.video")
        == ["camera", "video"])
  }

  @Test func aCopyBeginsAsItsFileAndOneOfLimitedLengthWithItsVideo() throws {
    let whole = try copy()
    #expect(try sessions(whole) == [.none, .none])
    #expect(whole.tracks(of: "movie")?.map(\.keepsStart) == [true, true])
    let part = try copy(#", "seconds": 2"#)
    #expect(try sessions(part) == [.starts, .waits(isLive: false)])
    #expect(part.tracks(of: "movie")?.map(\.keepsStart) == [false, false])
  }

  @Test func theThreadThatReadsAFileWritesItsCopy() throws {
    func deliveries(_ blueprint: Blueprint) -> [WireGroup.Delivery] {
      let wires = blueprint.plan.inputs(of: "movie")
      return wires.map { blueprint.delivery(on: $0, among: wires) }
    }
    #expect(try deliveries(copy()) == [.direct, .direct])
    // What waits for a session, or for a limit, needs a queue.
    #expect(try deliveries(copy(#", "seconds": 2"#)) == [.batched, .batched])
    #expect(try deliveries(recording()) == [.each, .each])
  }

  @Test func packetsFromBeforeWhatIsPresentedAreCopiedToo() throws {
    let plain = try copy()
    #expect(try plain.copies(wire(plain, from: "file", to: "movie.audio")))
    #expect(try !plain.copies(wire(plain, from: "file", to: "movie.video")))
    var edit = StreamEdit()
    edit.start = MediaTime(value: 3, timescale: 1)
    edit.keyFrame = MediaTime(value: 1, timescale: 1)
    let cut = try copy(edit: edit)
    #expect(try cut.copies(wire(cut, from: "file", to: "movie.video")))
    #expect(cut.tracks(of: "movie")?.first?.lead == MediaTime(value: 2, timescale: 1))
  }

  @Test func encodersSayWhatTheyPutBeforeATrack() throws {
    let tracks = try #require(try recording().tracks(of: "movie"))
    #expect(tracks.map { $0.priming != nil } == [false, true])
  }

  @Test func theFirstAlternativeThatIsInstalledIsTaken() throws {
    let streams = [
      DiscoveredStream(identifier: "0", format: .encoded(EncodedFormat(.mp3)), duration: nil)
    ]
    func decoder(_ installed: Set<String>?) throws -> Blueprint {
      try blueprint(
        """
        "file": { "type": "file", "path": "b.mp3" }, "decoder": { "type": "decoder" },
        "end": { "type": "nullSink" }
        """, "\"file.audio -> decoder -> end\"",
        FakeEnvironment(installed: installed, files: ["b.mp3": streams]))
    }
    let all = try decoder(nil)
    #expect(all.chain(of: "decoder")?.elements.map(\.factory) == ["mpg123audiodec"])
    // What reads a file plugs others together, so that all must be known.
    #expect(all.plugins == nil)
    let some = try decoder(["filesrc", "parsebin", "avdec_mp3", "fakesink"])
    #expect(some.chain(of: "decoder")?.elements.map(\.factory) == ["avdec_mp3"])
    let failure = #expect(throws: PipelineFailure.self) { try decoder(["filesrc", "parsebin"]) }
    #expect(failure?.node == "decoder")
    #expect(
      failure?.message
        == "none of its elements is installed: mpg123audiodec, or avdec_mp3")
  }

  @Test func aRecordingLoadsOnlyThePlugInsOfItsElements() throws {
    let plugins = try #require(try recording().plugins)
    #expect(plugins.contains("x264") && !plugins.contains("playback"))
  }

  @Test func queuesThatLeadToOneNodeAreOneGroup() throws {
    let groups = try recording().plan.queuesByTarget
    let movie = groups.first { $0.first?.wire.to.node == "movie" }
    #expect(movie?.map(\.wire.to.port) == ["video", "audio"])
    #expect(Set(groups.compactMap { $0.first?.wire.to.node }).count == groups.count)
  }

  @Test func aStageKnowsTheWiresAcrossItsBorder() throws {
    let made = try blueprint(
      """
      "tone": { "type": "testAudio" }, "loud": { "type": "gain" }, "soft": { "type": "fade" },
      "audio": { "type": "aacEncoder" }, "movie": { "type": "mp4Sink", "path": "a.m4a" }
      """, "\"tone -> loud -> soft -> audio -> movie.audio\"", FakeEnvironment())
    let stage = try #require(made.plan.stages.first)
    #expect(stage.name == "stage loud+soft" && stage.source == nil && stage.handsFormatsOn)
    #expect(stage.arriving.map(\.to.node) == ["loud"])
    #expect(stage.leaving.map(\.from.node) == ["soft"])
  }
}
