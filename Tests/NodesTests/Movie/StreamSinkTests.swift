import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Containers
@testable import Nodes

/// Streams in folders: segments, playlists and a manifest.
@Suite(.inTurn) struct StreamSinkTests {
  private let scratch: TestFolder
  private var folder: StreamFolder { StreamFolder(folder: scratch.path("live")) }
  init() throws { scratch = try TestFolder() }

  /// Two renditions of video and two languages, of some seconds.
  private func graph(
    _ parameters: String = "", seconds: Int = 7, isLive: Bool = false, audioSeconds: Int? = nil
  ) -> String {
    """
    { "nodes": {
        "camera": { "type": "testVideo", "width": 160, "height": 128, "frameRate": "30000/1001",
                    "live": \(isLive), "seconds": \(seconds) },
        "tone": { "type": "testAudio", "live": \(isLive), "seconds": \(audioSeconds ?? seconds) },
        "large": { "type": "h264Encoder", "keyFrameInterval": 1000 },
        "scale": { "type": "scale", "width": 80, "height": 64 },
        "small": { "type": "h264Encoder", "profile": "baseline", "keyFrameInterval": 1000 },
        "first": { "type": "aacEncoder" }, "second": { "type": "aacEncoder" },
        "stream": { "type": "hlsSink", "path": "\(scratch.path("live"))"\(parameters) } },
      "wires": ["camera -> large -> stream.video", "camera -> scale -> small -> stream.video.2",
                "tone -> first -> stream.audio", "tone -> second -> stream.audio.2"] }
    """
  }

  private func frames(_ path: String, _ map: String) throws -> [Substring] {
    let output = try tool(
      "ffmpeg", ["-v", "error", "-i", path, "-map", map, "-f", "framemd5", "-"])
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
  }

  private func complaints() throws -> [String] {
    try ["video1", "video2", "audio1", "audio2"].flatMap { name in
      let scale = name.hasPrefix("video") ? 90_000 : 48_000
      return try folder.complaints("\(name).m3u8", timescale: scale)
    }
  }

  @Test func everyRenditionIsWhole() async throws {
    let report = try await pipeline(graph(#", "segmentDuration": 2"#)).run()
    #expect(report.unbalanced == [] && report.warnings == nil)
    #expect(try complaints() == [])
    let inputs = ["video1": "video", "video2": "video.2", "audio1": "audio", "audio2": "audio.2"]
    for (name, input) in inputs {
      let list = try folder.playlist("\(name).m3u8")
      #expect(list.kind == "VOD" && list.isEnded && list.target == 2 && list.sequence == 1)
      #expect(list.segments.count == 4, "\(name)")
      let path = scratch.path("live/\(name).m3u8")
      #expect(try decodeComplaints(path) == "")
      let wire = report.wires.first { $0.key.hasSuffix("-> stream.\(input)") }
      let count = wire?.value.samplesOut
      let decoded = try frames(path, name.hasPrefix("v") ? "0:v" : "0:a").count
      #expect(decoded == count && decoded > 200, "\(name): \(decoded)")
    }
    #expect(try decodeComplaints(scratch.path("live/master.m3u8")) == "")
    #expect(
      report.outputs.map(\.path)
        == ["", "/master.m3u8", "/manifest.mpd"].map {
          scratch.path("live") + $0
        }.sorted { ($0.hasSuffix("live") ? 1 : 0) < ($1.hasSuffix("live") ? 1 : 0) })
  }

  /// The renditions' segments begin at the same times, also where the audio ends early.
  @Test func renditionsAreAlignedAndNoneWaitsForAnother() async throws {
    _ = try await pipeline(graph(#", "segmentDuration": 1"#, seconds: 6, audioSeconds: 2)).run()
    #expect(try complaints() == [])
    let (large, small) = (
      try folder.playlist("video1.m3u8"), try folder.playlist("video2.m3u8")
    )
    #expect(large.segments.map(\.presented) == small.segments.map(\.presented))
    #expect(large.segments.count == 6)
    #expect(try folder.playlist("audio1.m3u8").segments.count == 3)
  }

  @Test func theMainPlaylistSaysWhatThereIs() async throws {
    _ = try await pipeline(graph()).run()
    let lines = try folder.text("master.m3u8").split(separator: "\n")
    let media = lines.filter { $0.hasPrefix("#EXT-X-MEDIA:") }
    #expect(
      media == [
        #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="audio1",DEFAULT=YES,AUTOSELECT=YES,"#
          + #"CHANNELS="2",URI="audio1.m3u8""#,
        #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="audio2",DEFAULT=NO,AUTOSELECT=YES,"#
          + #"CHANNELS="2",URI="audio2.m3u8""#,
      ])
    let variants = lines.filter { $0.hasPrefix("#EXT-X-STREAM-INF:") }
    #expect(variants.count == 3)
    #expect(variants.prefix(2).allSatisfy { $0.contains(#"FRAME-RATE=29.970,AUDIO="audio""#) })
    // The audio by itself, for slow connections.
    #expect(variants[2].hasSuffix(#",CODECS="mp4a.40.2",AUDIO="audio""#))
    #expect(lines.last == "audio1.m3u8")
    #expect(variants[0].contains(#"RESOLUTION=160x128"#) && variants[1].contains("=80x64"))
    #expect(variants[0].contains(/CODECS="avc1\.6400[0-9A-F]{2},mp4a\.40\.2"/))
    #expect(variants[1].contains(/CODECS="avc1\.42[0-9A-F]{4},mp4a\.40\.2"/))
    // The most that a segment and its audio take, a second.
    for (index, variant) in variants.prefix(2).enumerated() {
      let stated = try #require(variant.firstMatch(of: /BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+)/))
      let (peak, average) = (Double(stated.output.1)!, Double(stated.output.2)!)
      let rates = try ["video\(index + 1)", "audio1"].map(rates)
      #expect(abs(peak - rates.map(\.peak).reduce(0, +)) < 1_000)
      #expect(abs(average - rates.map(\.average).reduce(0, +)) < 1_000)
    }
  }

  /// The bits a second of a rendition: the most that a segment takes, and all.
  private func rates(_ name: String) throws -> (peak: Double, average: Double) {
    let segments = try folder.playlist("\(name).m3u8").segments
    let sizes = try segments.map { Double(try folder.bytes($0.name).count) * 8 }
    let peaks = zip(sizes, segments).filter { $1.seconds >= 3 }.map { $0 / $1.seconds }
    let average = sizes.reduce(0, +) / segments.map(\.seconds).reduce(0, +)
    return (max(peaks.max() ?? 0, average), average)
  }

  /// A live stream lists its newest seconds, and deletes what has been out of the list for as long
  /// as a player may still ask for it.
  @Test func aLiveStreamSlides() async throws {
    let json = graph(
      #", "segmentDuration": 1, "window": 4"#, seconds: 20, isLive: true)
    let graph = try Graph(
      checking: GraphDocument(json: json), catalog: .builtIn, environment: LiveEnvironment())
    _ = try await graph.runInVirtualTime()
    #expect(try complaints() == [])
    for name in ["video1", "audio1"] {
      let list = try folder.playlist("\(name).m3u8")
      #expect(list.kind == "" && list.isEnded)
      let length = list.segments.reduce(0) { $0 + $1.seconds }
      #expect(length >= 3.99 && length < 5.1, "\(length)")
      #expect(list.segments.first?.name == "\(name)-\(StreamText.digits(list.sequence, 5)).m4s")
      let kept = folder.names.filter { $0.hasPrefix("\(name)-0") }
      #expect(kept.count > list.segments.count + 3 && kept.count < list.segments.count + 8)
      #expect(kept.last == list.segments.last?.name)
      let dates = list.segments.compactMap(\.date)
      #expect(dates.count == list.segments.count)
    }
  }

  @Test func theManifestNamesTheSameSegments() async throws {
    _ = try await pipeline(graph(#", "segmentDuration": 2"#)).run()
    let path = scratch.path("live/manifest.mpd")
    #expect(try folder.text("manifest.mpd").contains(#"type="static""#))
    #expect(try decodeComplaints(path) == "")
    #expect(try frames(path, "0:v:0").count == 210)
    try #expect(frames(path, "0:v:0") == frames(scratch.path("live/video1.m3u8"), "0:v"))
    // One row for those that are equally long.
    let list = try folder.playlist("video1.m3u8")
    let rows = try folder.text("manifest.mpd").matches(
      of: /<S t="(\d+)" d="(\d+)"(?: r="(\d+)")?\/>/)
    #expect(rows.first.flatMap { Int($0.output.1) } == list.segments.first?.presented)
  }

  /// What is left of a finished stream is presented from its beginning on, however late that was; of one
  /// that was live it has the times that it had for those who followed it.
  @Test(arguments: [false, true])
  func theManifestOfAFinishedWindowBeginsWithIt(isLive: Bool) async throws {
    let json = graph(#", "segmentDuration": 1, "window": 4"#, seconds: 9, isLive: isLive)
    let graph = try Graph(
      checking: GraphDocument(json: json), catalog: .builtIn, environment: LiveEnvironment())
    _ = try await graph.runInVirtualTime()
    let (path, text) = (scratch.path("live/manifest.mpd"), try folder.text("manifest.mpd"))
    #expect(text.contains(#"type="static""#))
    try #expect(frames(path, "0:v:0") == frames(scratch.path("live/video1.m3u8"), "0:v"))
    let words = ["-v", "error", "-of", "csv=p=0", "-show_entries", "format=duration", path]
    let duration = Double(
      String(decoding: try tool("ffprobe", words), as: UTF8.self).filter { !$0.isWhitespace })
    let segments = try folder.playlist("video1.m3u8").segments
    #expect(segments.count < 9)
    let length = segments.map(\.seconds).reduce(0, +)
    #expect(abs(try #require(duration) - length) < 0.05, "\(duration ?? 0), \(length)")
    func seconds(_ pattern: Regex<(Substring, Substring)>) throws -> Double {
      let match = try #require(text.firstMatch(of: pattern))
      return try #require(Double(match.output.1))
    }
    let begin = try seconds(/<Period id="1" start="PT([\d.]+)S"/)
    let end = try seconds(/mediaPresentationDuration="PT([\d.]+)S"/)
    #expect(abs(end - begin - length) < 0.05, "\(end), \(begin), \(length)")
    let beginnings = text.matches(
      of: /timescale="(\d+)".*presentationTimeOffset="(\d+)">\s*<SegmentTimeline>\s*<S t="(\d+)"/
    ).map { match in
      let numbers = [match.output.1, match.output.2, match.output.3].map { Double($0)! }
      return (offset: numbers[1] / numbers[0], start: (numbers[2] - numbers[1]) / numbers[0])
    }
    #expect(beginnings.count == 4)
    // One offset for all, and the first of them begins there.
    for (offset, start) in beginnings {
      #expect(abs(offset - beginnings[0].offset) < 0.000_03 && start > -0.000_03 && start < 0.05)
    }
    #expect(abs(beginnings.map(\.start).min() ?? 1) < 0.000_03)
    let wanted = isLive ? beginnings[0].offset : 0
    #expect(abs(begin - wanted) < 0.000_03 && beginnings[0].offset > 3)
  }

  @Test(arguments: [
    ("hevcEncoder", "avenc_ac3", "ac3parse", "hvc1.1.6.L60.90,ac-3"),
    ("h264Encoder", "opusenc", "opusparse", ",Opus"),
    ("h264Encoder", "flacenc", "flacparse", ",fLaC"),
  ])
  func codecsAreNamed(_ video: String, _ audio: String, _ parser: String, _ names: String)
    async throws
  {
    _ = try await pipeline(
      """
      { "nodes": {
          "camera": { "type": "testVideo", "width": 160, "height": 128, "seconds": 2 },
          "tone": { "type": "testAudio", "seconds": 2 },
          "video": { "type": "\(video)" },
          "audio": { "type": "gst", "element": "\(audio)" },
          "parser": { "type": "gst", "element": "\(parser)" },
          "stream": { "type": "hlsSink", "path": "\(scratch.path("live"))", "segmentDuration": 1 } },
        "wires": ["camera -> video -> stream.video", "tone -> audio -> parser -> stream.audio"] }
      """
    ).run()
    let master = try folder.text("master.m3u8")
    #expect(master.contains(names), "\(master)")
    #expect(try decodeComplaints(scratch.path("live/master.m3u8")) == "")
  }

  /// What an encoder puts in front of its audio is before the first frame, and frames that are decoded in
  /// another order than they are shown come no later for that: what is heard and what is seen stay
  /// together where nothing is skipped, also for ffmpeg. The file's tone begins after a second, with
  /// the first frame that isn't black.
  @Test(arguments: [48_000, 44_100], [false, true])
  func soundAndPictureStayTogether(rate: Int, isCopy: Bool) async throws {
    let input = scratch.path("in.mp4")
    try ffmpeg(
      "-f lavfi -i color=black:s=64x48:r=25:d=3,drawbox=c=white:t=fill:enable='gte(t,1)' -f lavfi",
      "-i aevalsrc=if(gte(t\\,1)\\,0.5*sin(2*PI*1000*t)\\,0):s=\(rate):d=3",
      "-c:v libx264 -bf 3 -c:a aac", to: input)
    let nodes =
      isCopy
      ? "" : #""v": { "type": "h264Encoder", "bFrames": 3 }, "a": { "type": "aacEncoder" },"#
    let (video, audio) = isCopy ? ("in.video", "in.audio") : ("v", "a")
    let encoded = isCopy ? "" : #""in.video -> v", "in.audio -> a","#
    _ = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, \(nodes)
          "live": { "type": "hlsSink", "path": "\(scratch.path("live"))", "segmentDuration": 2 },
          "movie": { "type": "mp4Sink", "path": "\(scratch.path("m.mp4"))", "playlist": true } },
        "wires": [\(encoded) "\(video) -> live.video", "\(video) -> movie.video",
                  "\(audio) -> live.audio", "\(audio) -> movie.audio"] }
      """
    ).run()
    for name in ["live/master.m3u8", "m.m3u8"] {
      let (light, tone) = try changes(of: scratch.path(name))
      #expect(abs(light - tone) < 0.001, "\(name): \(light), \(tone)")
    }
    #expect(try folder.complaints("video1.m3u8", timescale: 90_000) == [])
    #expect(try folder.complaints("audio1.m3u8", timescale: rate) == [])
  }

  /// When the first frame that isn't black is shown, and when the tone begins, in seconds of a stream's
  /// own times.
  private func changes(of stream: String) throws -> (light: Double, tone: Double) {
    func last(_ label: String, _ words: String) throws -> Double {
      let command = "ffmpeg -copyts -i '\(stream)' \(words) -f null - 2>&1"
      let said = String(decoding: try tool("sh", ["-c", command]), as: UTF8.self)
      let rest = try #require(said.components(separatedBy: label).dropFirst().last, "\(said)")
      return try #require(Double(rest.prefix { $0.isNumber || $0 == "." }), "\(rest)")
    }
    let black = try last(" t:", "-map 0:v -vf blackframe=amount=50")
    let sound = try last("silence_end: ", "-map 0:a -af silencedetect=n=-30dB:d=0.3")
    return (black + 0.04, sound)
  }

  @Test func audioAloneIsAStream() async throws {
    _ = try await pipeline(
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 5 }, "audio": { "type": "aacEncoder" },
                   "stream": { "type": "hlsSink", "path": "\(scratch.path("live"))",
                               "segmentDuration": 2, "dash": false } },
        "wires": ["tone -> audio -> stream.audio"] }
      """
    ).run()
    #expect(try folder.complaints("audio1.m3u8", timescale: 48_000) == [])
    #expect(try folder.text("master.m3u8").contains(#"CODECS="mp4a.40.2""#))
    #expect(try decodeComplaints(scratch.path("live/master.m3u8")) == "")
    #expect(
      !folder.names.contains("manifest.mpd") && folder.names.allSatisfy { !$0.hasSuffix("part") })
  }

  /// A folder with files in it is left alone, unless it may be replaced; then an earlier stream goes,
  /// and nothing else.
  @Test func aFolderIsReplacedOnlyWhereAsked() async throws {
    try FileManager.default.createDirectory(
      atPath: scratch.path("live"), withIntermediateDirectories: true)
    for name in ["video7.m3u8", "video7-00001.m4s", "video7-init.mp4", "index.html"] {
      _ = try scratch.write([1], to: "live/\(name)")
    }
    let error = #expect(throws: GraphErrors.self) { try pipeline(graph(seconds: 2)) }
    let message = error?.diagnostics.first.map { "\($0)" } ?? ""
    #expect(message.contains("isn't empty"), "\(message)")
    _ = try await pipeline(graph(#", "overwrite": true"#, seconds: 2)).run()
    #expect(folder.names.filter { $0.hasPrefix("video7") } == [])
    #expect(folder.names.contains("index.html") && folder.names.contains("master.m3u8"))
  }
}
