import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What the sink's own elements write, and the finisher's touch makes of it.
@Suite(.serialized, .inTurn) struct MovieFinisherTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func video(_ frames: Int, bFrames: Int = 2) -> [any ElementNode] {
    var source = TestVideo()
    (source.frames, source.width, source.height) = (frames, 320, 240)
    var encoder = H264Encoder()
    encoder.bFrames = bFrames
    return [source, encoder]
  }

  private func audio(_ frames: Int) -> [any ElementNode] {
    var source = TestAudio()
    source.frames = frames
    return [source, AACEncoder()]
  }

  private func record(_ sink: MP4Sink) throws -> BoxChecker {
    try launch([(video(60), "video"), (audio(96_000), "audio")], into: sink)
    let formats: [String: FormatConstraint] = ["video": .encoded(.h264), "audio": .encoded(.aac)]
    let output = try sink.elements(in: LiveEnvironment(), formats: formats).first?.output
    var pictures = OutputTrack()
    pictures.rotation = output?.rotation
    try #require(output).finish([pictures])
    return try BoxChecker(sink.path)
  }

  private func sink(_ name: String) -> MP4Sink {
    var sink = MP4Sink()
    sink.path = scratch.path(name)
    return sink
  }

  @Test(arguments: ["a.mp4", "a.mov", "a.m4v"], [true, false])
  func movieIsWholeAndAligned(_ name: String, _ crashSafe: Bool) throws {
    var sink = sink(name)
    sink.crashSafe = crashSafe
    let checker = try record(sink)
    #expect(checker.faults == [])
    #expect(checker.tracks.map(\.codec).sorted() == ["avc1", "mp4a"])
    #expect(checker.tracks.first { $0.codec == "avc1" }?.sampleCount == 60)
    #expect(!checker.outermost.contains("moof"))
    let summary = try MovieReader.read(sink.path)
    #expect(!summary.isFragmented && !summary.isOptimizedForNetworkUse)
    for track in summary.tracks {
      #expect(abs(track.start) < 0.001, "\(track.codec)")
      #expect(abs(track.duration - 2) < 0.025, "\(track.codec): \(track.duration)")
    }
  }

  @Test func indexInFrontKeepsEverySample() throws {
    let plain = sink("plain.mp4")
    let before = try record(plain)
    var network = sink("network.mp4")
    network.optimizeForNetworkUse = true
    let after = try record(network)
    #expect(after.faults == [])
    #expect(after.outermost.firstIndex(of: "moov")! < after.outermost.firstIndex(of: "mdat")!)
    #expect(after.tracks.map(\.sampleCount) == before.tracks.map(\.sampleCount))
    #expect(try MovieReader.read(network.path).isOptimizedForNetworkUse)
    #expect(!FileManager.default.fileExists(atPath: network.path + ".faststart"))
    #expect(try tool("ffmpeg", ["-v", "error", "-i", network.path, "-f", "null", "-"]).isEmpty)
  }

  @Test func primingIsSkippedToTheSample() throws {
    var samples = [Int16](repeating: 0, count: 144_000)
    (samples[12_000], samples[96_000]) = (30_000, 30_000)
    let raw = try scratch.write(bytes(samples), to: "impulse.raw")
    let wav = scratch.path("impulse.wav")
    try ffmpeg("-f s16le -ar 48000 -ac 1 -i", raw, to: wav)
    let path = scratch.path("impulse.mp4")
    try tool(
      "gst-launch-1.0",
      ["-q"]
        + "filesrc location=\(wav) ! wavparse ! audioconvert ! avenc_aac ! aacparse ! mp4mux fragment-duration=200 fragment-mode=first-moov-then-finalise ! filesink location=\(path)"
        .split(separator: " ").map(String.init))
    #expect(impulse(try decodedSound(of: path), near: 12_000) == 13_024)
    try MovieFinisher().finish(path)
    let sound = try decodedSound(of: path)
    #expect(impulse(sound, near: 12_000) == 12_000 && impulse(sound, near: 96_000) == 96_000)
    let checker = try BoxChecker(path)
    #expect(checker.faults == [] && checker.tracks[0].edits.last?[1] == 1024)
    try MovieFinisher().finish(path)
    #expect(try BoxChecker(path).tracks == checker.tracks, "finishing twice is finishing once")
  }

  private func impulse(_ sound: [Int16], near place: Int) -> Int? {
    (max(0, place - 3000)..<min(sound.count, place + 3000)).max {
      abs(Int(sound[$0])) < abs(Int(sound[$1]))
    }
  }

  @Test func copiedSoundWithoutPrimingIsLeftAlone() throws {
    let source = scratch.path("tone.m4a")
    try ffmpeg("-f lavfi -i sine=d=2:r=48000 -c:a aac", to: source)
    let path = scratch.path("copy.mp4")
    try tool(
      "gst-launch-1.0",
      ["-q"]
        + "filesrc location=\(source) ! qtdemux ! aacparse ! mp4mux ! filesink location=\(path)"
        .split(separator: " ").map(String.init))
    let before = try BoxChecker(path).tracks
    try MovieFinisher().finish(path)
    #expect(try BoxChecker(path).tracks == before)
  }

  @Test func trackWithoutSamplesIsHidden() throws {
    let path = scratch.path("lonely.mp4")
    try tool(
      "gst-launch-1.0",
      ["-q"]
        + "videotestsrc num-buffers=30 ! x264enc ! h264parse ! mp4mux name=m fragment-duration=200 fragment-mode=first-moov-then-finalise ! filesink location=\(path) fakesrc num-buffers=0 ! m.audio_0"
        .split(separator: " ").map(String.init))
    try MovieFinisher().finish(path)
    #expect(try BoxChecker(path).tracks.map(\.codec) == ["avc1"])
    #expect(try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"]).isEmpty)
  }

  @Test(arguments: [
    (Rotation.rotate90, "-90"), (.rotate180, "-180"), (.rotate270, "90"),
  ])
  func pictureIsTurned(_ rotation: Rotation, _ degrees: String) throws {
    var sink = sink("\(rotation).mp4")
    sink.transform = rotation
    #expect(try record(sink).faults == [])
    let found = try probe(sink.path, "stream_side_data=rotation")
    #expect(found.contains("rotation=\(degrees)"), "\(found)")
  }

  @Test func titleAndCreationTimeAreWritten() throws {
    var sink = sink("title.mp4")
    sink.title = "Grüße \"an\" alle; \\ = 1, 2"
    sink.creationTime = "2020-02-29T03:04:05Z"
    #expect(sink.problem == nil)
    #expect(try record(sink).faults == [])
    let found = try probe(sink.path, "format_tags=title,creation_time")
    #expect(found.contains("title=\(sink.title)"), "\(found)")
    #expect(found.contains("creation_time=2020-02-29T03:04:05.000000Z"), "\(found)")
  }

  private func probe(_ path: String, _ entries: String) throws -> String {
    String(
      decoding: try tool("ffprobe", ["-v", "error", "-show_entries", entries, path]),
      as: UTF8.self)
  }

  /// A movie in fragments, as it is before its finish.
  private func fragments(_ name: String) throws -> String {
    let sink = sink(name)
    try launch([(video(60), "video"), (audio(96_000), "audio")], into: sink)
    return sink.path
  }

  @Test func fragmentsAreCounted() throws {
    let summary = try MovieReader.read(try fragments("a.mp4"))
    #expect(summary.isFragmented)
    #expect(summary.tracks.map(\.sampleCount) == [60, 95])
    #expect(abs(summary.duration - 2) < 0.1)
  }

  @Test func everyPacketOfTheFragmentsIsInTheMovie() throws {
    let path = try fragments("a.mp4")
    let words = ["-v", "error", "-show_entries", "packet=stream_index,size,flags,data_hash"]
    let packets = { try tool("ffprobe", words + ["-show_data_hash", "MD5", "-of", "csv", path]) }
    let before = try packets()
    try MovieFinisher().finish(path)
    #expect(try BoxChecker(path).faults == [])
    #expect(try !MovieReader.read(path).isFragmented)
    // The packet that the edit list skips is marked so now.
    let lines = { (data: Data) in
      String(decoding: data, as: UTF8.self).replacing("KD,side_data,\n,", with: "K_,")
        .split(separator: "\n").sorted()
    }
    #expect(try lines(packets()) == lines(before))
  }

  /// A kill may come at any byte.
  @Test func aMovieThatWasCutOffIsFinishedToo() throws {
    let data = Array(try Data(contentsOf: URL(fileURLWithPath: try fragments("a.mp4"))))
    var counts: [Int] = []
    for part in 3..<10 {
      let path = try scratch.write(data[..<(data.count * part / 10 + part)], to: "cut.mp4")
      try MovieFinisher().finish(path)
      let checker = try BoxChecker(path)
      #expect(checker.faults == [], "\(part)")
      counts.append(checker.tracks.first?.sampleCount ?? 0)
    }
    #expect(counts == counts.sorted() && counts.first! > 10 && counts.last! < 60, "\(counts)")
  }

  @Test func brokenMoviesAreErrorsAndNeverTraps() throws {
    let whole = sink("whole.mp4")
    _ = try record(whole)
    let data = Array(try Data(contentsOf: URL(fileURLWithPath: whole.path)))
    var state: UInt64 = 42
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let index = data.count - 6_000
    for round in 0..<300 {
      var broken = data
      for _ in 0..<8 { broken[index + next(6_000)] = UInt8(next(256)) }
      if round % 5 == 0 { broken = Array(broken[..<next(broken.count)]) }
      let path = try scratch.write(broken, to: "broken.mp4")
      _ = try? MovieReader.read(path)
      try? MovieFinisher().finish(path)
    }
    let pieces = Array(try Data(contentsOf: URL(fileURLWithPath: try fragments("pieces.mp4"))))
    for round in 0..<100 {
      var broken = pieces
      for _ in 0..<(1 + round % 40) { broken[next(broken.count)] = UInt8(next(256)) }
      for _ in 0..<4 { broken[next(8_000)] = UInt8(next(256)) }
      let path = try scratch.write(broken, to: "broken.mp4")
      _ = try? MovieReader.read(path)
      try? MovieFinisher().finish(path)
    }
    let noise = try scratch.write((0..<5_000).map { _ in UInt8(next(256)) }, to: "noise.mp4")
    #expect(throws: NodeError.self) { try MovieReader.read(noise) }
    #expect(throws: NodeError.self) { try MovieReader.read(scratch.path("none.mp4")) }
    #expect(throws: NodeError.self) { try MovieReader.read(scratch.folder) }
  }
}
