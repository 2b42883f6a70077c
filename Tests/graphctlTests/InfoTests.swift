import Foundation
import TestTools
import Testing

/// What `graphctl info` says of files, beside what ffprobe says.
@Suite(.inTurn) struct InfoTests {
  private struct Info: Decodable {
    struct Track: Decodable {
      var kind: String
      var codec: String
      var width: Int?
      var height: Int?
      var frameRate: String?
      var colors: String?
      var sampleRate: Int?
      var channels: Int?
      var duration: Double?
      var language: String?
    }
    struct Chapter: Decodable, Equatable {
      var time: Double
      var title: String
    }
    struct Picture: Decodable {
      var format: String
      var byteCount: Int
    }
    struct Loudness: Decodable {
      var integrated: Double?
    }
    var byteCount: Int
    var container: String?
    var duration: Double?
    var tracks: [Track]
    var metadata: [String: String]
    var chapters: [Chapter]
    var pictures: [Picture]?
    var loudness: Loudness?
  }

  private struct Probe: Decodable {
    struct Stream: Decodable {
      var codec_name: String
      var codec_type: String
      var width: Int?
      var height: Int?
      var r_frame_rate: String
      var sample_rate: String?
      var channels: Int?
    }
    struct Format: Decodable {
      var duration: String
      var size: String
    }
    var streams: [Stream]
    var format: Format
  }

  private func info(_ words: String..., in folder: Folder) async throws -> Info {
    let result = try await Graphctl.run(["info", "--format", "json"] + words, in: folder)
    #expect(result.status == 0, "\(result)")
    return try JSONDecoder().decode(Info.self, from: Data(result.output.utf8))
  }

  private func probe(_ name: String, in folder: Folder) async throws -> Probe {
    let words = ["-v", "error", "-of", "json", "-show_format", "-show_streams", name]
    let result = try await Tool.result("ffprobe", words, in: folder.url)
    return try JSONDecoder().decode(Probe.self, from: Data(result.output.utf8))
  }

  @Test(arguments: [
    ("movie.mp4", "ISO MP4/M4A", "-c:v libx264 -c:a aac"),
    ("movie.mkv", "Matroska", "-c:v libx264 -c:a libopus -ar 48000"),
    ("movie.webm", "WebM", "-c:v libvpx -c:a libvorbis"),
    ("movie.avi", "AVI", "-c:v mpeg4 -c:a libmp3lame"),
  ])
  func saysWhatFFprobeSays(_ name: String, _ container: String, _ codecs: String) async throws {
    let folder = try Folder()
    let words =
      "-f lavfi -i testsrc2=d=0.5:s=160x90:r=30000/1001 -f lavfi -i sine=d=0.5:r=48000 -ac 2 "
      + codecs
    try Tool.generate(words.words + ["-metadata", "title=A talk"], to: name, in: folder)
    let (info, probe) = (try await info(name, in: folder), try await probe(name, in: folder))
    #expect(info.container == container && info.metadata["title"] == "A talk")
    #expect("\(info.byteCount)" == probe.format.size)
    let duration = try #require(Double(probe.format.duration))
    #expect(abs(try #require(info.duration) - duration) < 0.05)
    #expect(info.tracks.map(\.kind) == ["video", "audio"])
    for (track, stream) in zip(info.tracks, probe.streams) {
      #expect(track.kind == stream.codec_type && track.codec == stream.codec_name)
      #expect(track.width == stream.width && track.height == stream.height)
      #expect(track.sampleRate == stream.sample_rate.flatMap { Int($0) })
      #expect(track.channels == stream.channels)
      if track.kind == "video" { #expect(track.frameRate == stream.r_frame_rate) }
    }
  }

  /// Other programs put a table of the fragments after them, which says when the last begins.
  @Test(arguments: [
    "frag_keyframe+empty_moov", "frag_keyframe", "frag_keyframe+empty_moov+delay_moov", "cmaf",
    "frag_keyframe+dash", "frag_keyframe+empty_moov+skip_trailer",
  ])
  func countsTheLastFragment(_ flags: String) async throws {
    let folder = try Folder()
    let words =
      "-f lavfi -i testsrc2=d=6.2:s=160x90:r=30 -f lavfi -i sine=d=6.2:r=48000 -c:v libx264 -g 60 "
      + "-c:a aac -movflags \(flags)"
    try Tool.generate(words.words, to: "a.mp4", in: folder)
    let (info, probe) = (try await info("a.mp4", in: folder), try await probe("a.mp4", in: folder))
    let duration = try #require(Double(probe.format.duration))
    #expect(abs(try #require(info.duration) - duration) < 0.05, "\(duration)")
    for track in info.tracks { #expect(abs(try #require(track.duration) - duration) < 0.1) }
  }

  @Test func aTagInFrontOfFLACIsNoContainer() async throws {
    let folder = try Folder()
    try Tool.generate("-f lavfi -i sine=d=0.5 -c:a flac".words, to: "a.flac", in: folder)
    let place = folder.url.appending(path: "a.flac")
    // An ID3v2.4 tag of 20 empty bytes.
    let tag = Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 0, 20]) + Data(count: 20)
    try (tag + Data(contentsOf: place)).write(to: place)
    let info = try await info("a.flac", in: folder)
    #expect(info.container == "FLAC" && info.tracks.map(\.codec) == ["flac"])
  }

  @Test func saysLanguagesChaptersAndColours() async throws {
    let folder = try Folder()
    let chapters = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=200
      title=Intro
      [CHAPTER]
      TIMEBASE=1/1000
      START=200
      END=500
      title=Größe
      """
    _ = try folder.write("chapters", chapters)
    let words =
      "-nostdin -v error -f lavfi -i testsrc2=d=0.5:s=160x90 -f lavfi -i sine=d=0.5 -i chapters "
      + "-map 0 -map 1 -map_metadata 2 -metadata:s:a:0 language=deu -c:v libx264 -pix_fmt yuv420p "
      + "-colorspace bt709 -color_trc bt709 -color_primaries bt709 -c:a aac a.mp4"
    try await Tool.run("ffmpeg", words.words, in: folder.url)
    let info = try await info("a.mp4", in: folder)
    #expect(info.tracks.map(\.language) == [nil, "de"])
    #expect(info.tracks.first?.colors == "bt709")
    #expect(
      info.chapters == [.init(time: 0, title: "Intro"), .init(time: 0.2, title: "Größe")])
    let text = try await Graphctl.run(["info", "a.mp4"], in: folder)
    for words in ["a.mp4: ISO MP4/M4A, 0:00.5", "bt709", "language de", "0:00.20  Größe"] {
      #expect(text.output.contains(words), "\(text.output)")
    }
  }

  @Test func saysColoursOfFullRangeInWords() async throws {
    let folder = try Folder()
    let words =
      "-f lavfi -i testsrc2=d=0.2:s=160x90 -vf scale=out_range=full:out_color_matrix=bt709 "
      + "-pix_fmt yuv420p -color_range pc -colorspace bt709 -color_trc bt709 -color_primaries bt709 "
      + "-c:v libx264"
    try Tool.generate(words.words, to: "a.mp4", in: folder)
    let text = try await Graphctl.run(["info", "a.mp4"], in: folder)
    #expect(text.output.contains(", bt709 of full range"), "\(text.output)")
    #expect(try await info("a.mp4", in: folder).tracks.first?.colors == "1:3:5:1")
  }

  @Test func saysWhichPicturesAreAttached() async throws {
    let folder = try Folder()
    try Tool.generate(
      "-f lavfi -i testsrc2=s=64x48 -frames:v 1".words, to: "cover.png", in: folder)
    let words = "-nostdin -v error -f lavfi -i sine=d=0.5 -i cover.png -map 0 -map 1 -c:a aac "
    try await Tool.run(
      "ffmpeg", (words + "-c:v copy -disposition:v attached_pic a.m4a").words, in: folder.url)
    let info = try await info("a.m4a", in: folder)
    let size = try Data(contentsOf: folder.url.appending(path: "cover.png")).count
    #expect(info.pictures?.map(\.format) == ["PNG"] && info.pictures?.map(\.byteCount) == [size])
    let text = try await Graphctl.run(["info", "a.m4a"], in: folder)
    #expect(text.output.contains("\n  picture: front cover, PNG, "), "\(text.output)")
  }

  @Test func aTestSignalSaysNothingOfItself() async throws {
    let folder = try Folder()
    let graph = """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 1 }, "aac": { "type": "aacEncoder" },
          "out": { "type": "mp4Sink", "path": "a.m4a" } },
        "wires": ["tone -> aac -> out.audio"] }
      """
    _ = try folder.write("graph.json", graph)
    _ = try await Graphctl.run(["run", "graph.json"], in: folder)
    #expect(try await info("a.m4a", in: folder).metadata["description"] == nil)
  }

  @Test func saysHowLongTracksOfMatroskaAre() async throws {
    let folder = try Folder()
    let words =
      "-f lavfi -i testsrc2=d=2:s=160x90:r=25 -f lavfi -i sine=d=0.5:r=48000 -c:v libx264 "
      + "-c:a libopus"
    try Tool.generate(words.words, to: "a.mkv", in: folder)
    let info = try await info("a.mkv", in: folder)
    let durations = info.tracks.compactMap(\.duration)
    #expect(durations.count == 2 && abs(durations[0] - 2) < 0.05, "\(durations)")
    #expect(abs(durations[1] - 0.5) < 0.05, "\(durations)")
    #expect(info.metadata["extended-comment"] == nil, "\(info.metadata)")
  }

  @Test func measuresLoudnessAsFFmpegDoes() async throws {
    let folder = try Folder()
    try Tool.generate(
      "-f lavfi -i aevalsrc=0.1*sin(2*PI*997*t):s=48000:d=3".words,
      to: "a.wav", in: folder)
    let info = try await info("a.wav", "--measure", in: folder)
    #expect(info.container == "WAV" && info.tracks.map(\.codec) == ["pcm"])
    let words = "ffmpeg -nostdin -hide_banner -i a.wav -af ebur128 -f null - > log 2>&1"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    let summary = folder.text("log").components(separatedBy: "Summary:").last ?? ""
    let line = summary.split(separator: "\n").first { $0.contains("I:") }
    let loudness = try #require(line?.split(separator: " ").compactMap { Double($0) }.first)
    #expect(abs(try #require(info.loudness?.integrated) - loudness) <= 0.1)
  }

  @Test func whatIsTooShortForALoudnessHasAPeak() async throws {
    let folder = try Folder()
    for (name, source) in [("a.wav", "sine=1000:d=0.2"), ("b.wav", "anullsrc=d=1")] {
      try Tool.generate("-f lavfi -i \(source)".words, to: name, in: folder)
    }
    let result = try await Graphctl.run(["info", "--measure", "a.wav", "b.wav"], in: folder)
    let words = "loudness: none: shorter than 0.4 s, or below -70 LUFS, true peak -18.06 dBTP"
    #expect(result.output.contains(words), "\(result)")
    #expect(result.output.contains("loudness: silence"), "\(result)")
  }

  @Test func oneThatCannotBeReadDoesNotHideTheOthers() async throws {
    let folder = try Folder()
    try Tool.generate(
      "-f lavfi -i sine=d=0.2".words, to: "a.wav", in: folder)
    let result = try await Graphctl.run(["info", "nope.mp4", "a.wav"], in: folder)
    #expect(result.status == 66 && result.output.hasPrefix("a.wav: WAV"), "\(result)")
    #expect(result.messages.hasPrefix("nope.mp4: error: `nope.mp4` can't be opened"), "\(result)")
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
