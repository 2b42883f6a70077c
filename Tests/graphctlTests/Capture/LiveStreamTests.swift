import Foundation
import GraphKit
import TestTools
import Testing

/// Live streams of other programs on this machine: what is recorded of them, and what becomes of it where
/// they go away.
@Suite(.inTurnOrAlone) struct LiveStreamTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func record(
    _ uri: String, _ more: String = "", seconds: Double = 1, isCopy: Bool = false
  ) async throws -> Graphctl.Result {
    let words = try recording(uri, more, seconds: seconds, isCopy: isCopy)
    return try await Graphctl.run(words, in: folder)
  }

  /// What records a stream.
  private func recording(
    _ uri: String, _ more: String, seconds: Double, isCopy: Bool = false
  ) throws -> [String] {
    let (video, audio) = isCopy ? ("", "") : ("-> video ", "-> audio ")
    let encoders =
      isCopy ? "" : #""video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },"#
    try folder.write(
      "live.json",
      """
      { "nodes": {
          "live":  { "type": "liveStream", "uri": "\(uri)"\(more) }, \(encoders)
          "movie": { "type": "mp4Sink", "path": "movie.mp4", "overwrite": true, "seconds": \(seconds) } },
        "wires": ["live.video \(video)-> movie.video", "live.audio \(audio)-> movie.audio"] }
      """)
    return ["run", "live.json", "--events=connection,progress", "--report", "report.json"]
  }

  /// Checks a movie of both tracks by another reader.
  private func expectMovie(seconds: Double, frames: ClosedRange<Int>) async throws {
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.count == 2, "\(movie)")
    for track in movie.tracks { #expect(abs(track.duration - seconds) < 0.1, "\(movie)") }
    #expect(frames.contains(movie.tracks[0].sampleCount), "\(movie)")
    #expect(try await complaints() == "")
  }

  /// How far apart the frames of the movie are, in milliseconds, each of these once.
  private func frameSteps() async throws -> [Int] { try await steps("v", timescale: 1000) }

  /// How far apart what is in a stream of the movie is, each of these once.
  private func steps(_ stream: String, timescale: Double) async throws -> [Int] {
    let words = ["-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time"]
    let result = try await Tool.result(
      "ffprobe", words + ["-of", "csv=p=0", "movie.mp4"], in: folder.url)
    let times = result.output.split { ",\n".contains($0) }.compactMap { Double($0) }.sorted()
    let steps = zip(times, times.dropFirst()).map { (($1 - $0) * timescale).rounded() }
    return Set(steps.map { Int($0) }).sorted()
  }

  /// When the movie becomes white, after its beginning.
  private func flashes() async throws -> [Double] {
    let words = ["-nostdin", "-v", "error", "-i", "movie.mp4", "-vf", "scale=1:1,format=gray"]
    let levels = try await bytes(words + ["-f", "rawvideo", "-"])
    return zip(levels, levels.dropFirst()).enumerated().filter { $1.0 < 200 && $1.1 >= 200 }
      .map { Double($0.offset + 1) / 25 }
  }

  /// When its audio becomes loud, after its beginning.
  private func beeps() async throws -> [Double] {
    let words = ["-nostdin", "-v", "error", "-i", "movie.mp4", "-af", "aresample=async=1"]
    let levels = try await bytes(words + ["-ac", "1", "-ar", "8000", "-f", "u8", "-"])
    let loud = [-4001] + levels.indices.filter { abs(Int(levels[$0]) - 128) > 8 }
    return zip(loud, loud.dropFirst()).filter { $1 - $0 > 4000 }.map { Double($1) / 8000 }
  }

  private func bytes(_ words: [String]) async throws -> [UInt8] {
    try await Tool.run("ffmpeg", words.dropLast() + ["-y", "out.raw"], in: folder.url)
    return try [UInt8](Data(contentsOf: folder.url.appending(path: "out.raw")))
  }

  /// What ffmpeg complains about where it decodes the movie; formats without times ask nothing of those.
  private func complaints() async throws -> String {
    let words = [
      "-nostdin", "-v", "error", "-y", "-i", "movie.mp4", "-map", "0:v", "-f", "rawvideo",
      "/dev/null", "-map", "0:a", "-f", "s16le", "/dev/null",
    ]
    let result = try await Tool.result("ffmpeg", words, in: folder.url)
    return result.status == 0 ? result.output : "\(result)"
  }

  private func connections() throws -> ConnectionReport {
    let data = try Data(contentsOf: URL(filePath: "\(folder.path)/report.json"))
    let report = try JSONDecoder().decode(Report.self, from: data)
    return try #require(report.connections?["live"])
  }

  @Test func datagramsAreRecorded() async throws {
    try LiveServers.writeStream(in: folder)
    let port = try await LiveServers.freePort()
    let sender = try await LiveServers.send(
      folder, to: "udp://127.0.0.1:\(port)?pkt_size=1316")
    let result = try await record("UDP://127.0.0.1:\(port)", seconds: 2)
    #expect(result.status == 0 && !result.messages.contains("warning"), "\(result)")
    try await expectMovie(seconds: 2, frames: 50...51)
    let steps = try await frameSteps()
    #expect(steps == [40])
    let (flashes, beeps) = (try await flashes(), try await beeps())
    // What begins with the movie, or ends it, may be cut off in one of the two.
    let whole = flashes.filter { (0.15...1.85).contains($0) }
    #expect(!whole.isEmpty, "\(flashes)")
    for flash in whole {
      #expect(beeps.contains { abs($0 - flash) < 0.04 }, "\(flashes), \(beeps)")
    }
    _ = sender
  }

  @Test func bothEndsOfSRTMayListen() async throws {
    try LiveServers.writeStream(in: folder)
    for (own, other) in [("", "?mode=listener"), ("?mode=listener", "")] {
      let port = try await LiveServers.freePort()
      let sender = try await LiveServers.send(folder, to: "srt://127.0.0.1:\(port)\(other)")
      let result = try await record("srt://127.0.0.1:\(port)\(own)")
      #expect(result.status == 0, "\(result)")
      try await expectMovie(seconds: 1, frames: 25...26)
      let steps = try await frameSteps()
      #expect(steps == [40])
      _ = sender
    }
  }

  @Test(arguments: ["tcp", "udp"]) func aServerOfRTSPIsRecorded(_ transport: String) async throws {
    let server = try await LiveServers.rtsp()
    let port = try #require(await server.lines.next())
    let result = try await record(
      "rtsp://127.0.0.1:\(port)/shown", #", "transport": "\#(transport)""#)
    #expect(result.status == 0, "\(result)")
    try await expectMovie(seconds: 1, frames: 23...29)
    // The server's own clock says when a frame is made, and it may be late.
    let steps = try await frameSteps()
    #expect(steps.allSatisfy { (30...50).contains($0) }, "\(steps)")
  }

  @Test func packetsOfRTSPAreAllRecorded() async throws {
    let server = try await LiveServers.rtsp()
    let port = try #require(await server.lines.next())
    let result = try await record(
      "rtsp://127.0.0.1:\(port)/reordered",
      #", "transport": "tcp", "videoCodec": "h264", "audioCodec": "aac""#, seconds: 3, isCopy: true)
    #expect(result.status == 0 && !result.messages.contains("warning: video"), "\(result)")
    try await expectMovie(seconds: 3, frames: 65...80)
    let steps = try await steps("a", timescale: 44_100)
    #expect(steps == [1024], "\(steps)")
  }

  @Test func aPlaylistIsReadToItsEnd() async throws {
    try LiveServers.writeStream(in: folder)
    try await writeList(of: "stream.ts", seconds: 2)
    let server = try WebServer(folder.path)
    let result = try await record(server.address(of: "list.m3u8"), seconds: 10)
    #expect(result.status == 0, "\(result)")
    try await expectMovie(seconds: 2, frames: 49...51)
  }

  /// What the encoder began with has times of its own in a stream, and players skip nothing of it.
  /// Segments of movies say in their header by how much frames out of order and that beginning are late.
  @Test(arguments: [("mpegts", true), ("fmp4", true), ("fmp4", false)])
  func theFirstPacketsOfAudioStayInTime(_ segments: String, _ isCopy: Bool) async throws {
    // Of frames out of order the first is decoded before the audio.
    try LiveServers.writeStream(to: "film.mp4", in: folder, video: ["-bf", "2", "-g", "25"])
    try await writeList(of: "film.mp4", seconds: 2, segments)
    let server = try WebServer(folder.path)
    let result = try await record(
      server.address(of: "list.m3u8"),
      isCopy ? #", "videoCodec": "h264", "audioCodec": "aac""# : "", seconds: 10, isCopy: isCopy)
    #expect(result.status == 0, "\(result)")
    #expect(try await complaints() == "")
    let (flashes, beeps) = (try await flashes(), try await beeps())
    let flash = try #require(flashes.first { (0.5...1.5).contains($0) }, "\(flashes)")
    #expect(beeps.contains { abs($0 - flash) < 0.012 }, "\(flashes), \(beeps)")
  }

  /// It would begin again with every connection, without end.
  @Test func aRecordingThatLacksASegmentIsAnError() async throws {
    try LiveServers.writeStream(in: folder)
    try await writeList(of: "stream.ts", seconds: 4)
    try FileManager.default.removeItem(at: folder.url.appending(path: "list2.ts"))
    let server = try WebServer(folder.path)
    let result = try await record(server.address(of: "list.m3u8"), seconds: 60)
    #expect(result.status == 75, "\(result)")
    #expect(
      result.messages.contains("list.m3u8 is a recording of 4.0 s, and breaks off after"),
      "\(result)")
    #expect(result.messages.contains(" s: Not Found; see that its server"), "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.count == 2 && (0.5...2.1).contains(movie.duration), "\(movie)")
    #expect(try await complaints() == "")
  }

  private func writeList(
    of film: String, seconds: Double, _ segments: String = "mpegts"
  ) async throws {
    try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", film, "-t", "\(seconds)", "-c", "copy", "-hls_time", "1",
        "-hls_list_size", "0", "-hls_segment_type", segments, "list.m3u8",
      ], in: folder.url)
  }

  /// Parsers hold a frame until the next has come.
  @Test func theLastFrameOfASenderIsRecorded() async throws {
    try LiveServers.writeStream(in: folder)
    let port = try await LiveServers.freePort()
    let sender = try await LiveServers.send(
      folder, to: "udp://127.0.0.1:\(port)?pkt_size=1316", seconds: [2])
    let result = try await record(
      "udp://127.0.0.1:\(port)",
      #", "videoCodec": "h264", "audioCodec": "aac", "stallTimeout": 0.4, "reconnectTimeout": 0.4"#,
      seconds: 20, isCopy: true)
    #expect(result.status == 75, "\(result)")
    // Every fifth frame is a key frame, with which the movie begins.
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks[0].sampleCount >= 5 && movie.tracks[0].sampleCount % 5 == 0, "\(movie)")
    _ = sender
  }

  @Test(arguments: [false, true]) func aServerOfRTMPIsRecorded(_ isCopy: Bool) async throws {
    try LiveServers.writeStream(in: folder)
    let port = try await LiveServers.freePort()
    let server = try await LiveServers.rtmp(port, in: folder)
    let sender = try await LiveServers.publish(folder, to: port, "a")
    let codecs = isCopy ? #", "videoCodec": "h264", "audioCodec": "aac""# : ""
    let result = try await record("rtmp://127.0.0.1:\(port)/live/a", codecs, isCopy: isCopy)
    #expect(result.status == 0, "\(result)")
    try await expectMovie(seconds: 1, frames: 23...29)
    let steps = try await frameSteps()
    let packets = try await self.steps("a", timescale: 48_000)
    #expect(steps == [40] && packets == [1024], "\(steps), \(packets)")
    _ = (server, sender)
  }

  @Test(arguments: ["fill", "keep", "close"])
  func aSenderThatGoesAwayIsConnectedToAgain(_ gaps: String) async throws {
    try LiveServers.writeStream(in: folder)
    let port = try await LiveServers.freePort()
    let sender = try await LiveServers.send(
      folder, to: "srt://127.0.0.1:\(port)?mode=listener", seconds: [1, 20])
    let result = try await record(
      "srt://127.0.0.1:\(port)", #", "gaps": "\#(gaps)""#, seconds: 2.5)
    #expect(result.status == 0, "\(result)")
    let connections = try connections()
    #expect(connections.lost >= 1 && connections.connected > connections.lost - 1)
    #expect(result.output.contains(#""state": "lost""#) && connections.awaySeconds > 0, "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.allSatisfy { abs($0.duration - 2.5) < 0.1 }, "\(movie)")
    // Frames are there all the time, or none while the sender was away.
    let missing = 2.5 - Double(movie.tracks[0].sampleCount) / 25
    let isFull = missing < connections.awaySeconds / 2
    #expect(isFull == (gaps != "keep"), "\(movie), away for \(connections.awaySeconds) s")
    _ = sender
  }

  /// Nothing takes the place of packets that don't come, and nothing moves until they do.
  @Test func aSenderOfPacketsMayBeAwayForLong() async throws {
    try LiveServers.writeStream(in: folder)
    let port = try await LiveServers.freePort()
    let sender = try await LiveServers.send(
      folder, to: "srt://127.0.0.1:\(port)?mode=listener", seconds: [1, 20], awaySeconds: 1.5)
    let words = try recording(
      "srt://127.0.0.1:\(port)", #", "videoCodec": "h264", "audioCodec": "aac""#, seconds: 6,
      isCopy: true)
    let result = try await Graphctl.run(words + ["--stall-timeout", "0.6"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(try connections().awaySeconds > 1, "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.allSatisfy { abs($0.duration - 6) < 0.1 }, "\(movie)")
    _ = sender
  }

  @Test(arguments: ["aac", "mp3"]) func packetsPassAsTheyAre(_ codec: String) async throws {
    try LiveServers.writeStream(in: folder, audio: codec)
    let port = try await LiveServers.freePort()
    let sender = try await LiveServers.send(folder, to: "udp://127.0.0.1:\(port)?pkt_size=1316")
    let result = try await record(
      "udp://127.0.0.1:\(port)", #", "videoCodec": "h264", "audioCodec": "\#(codec)""#, isCopy: true
    )
    #expect(result.status == 0, "\(result)")
    try await expectMovie(seconds: 1, frames: 23...29)
    let steps = try await frameSteps()
    #expect(steps == [40])
    _ = sender
  }

  /// A stream whose clock wraps, as it does every 26.5 hours, and a sender that starts anew beside it.
  @Test(arguments: [false, true]) func aClockThatJumpsEndsNothing(_ isCopy: Bool) async throws {
    try LiveServers.writeStream(in: folder)
    let port = try await LiveServers.freePort()
    let sender = try await LiveServers.send(
      folder, to: "udp://127.0.0.1:\(port)?pkt_size=1316", seconds: [2, 20], from: 95_442)
    let codecs = isCopy ? #", "videoCodec": "h264", "audioCodec": "aac""# : ""
    let result = try await record(
      "udp://127.0.0.1:\(port)", codecs, seconds: 4, isCopy: isCopy)
    #expect(result.status == 0 && !result.messages.contains("warning"), "\(result)")
    try await expectMovie(seconds: 4, frames: 60...102)
    // Frames lack where no sender was there, and nowhere else.
    let steps = try await frameSteps()
    #expect(steps.count { $0 > 100 } <= 1, "\(steps)")
    _ = sender
  }

  @Test func aSenderThatNeverComesIsAnError() async throws {
    let port = try await LiveServers.freePort()
    let result = try await record(
      "srt://127.0.0.1:\(port)?passphrase=0123456789", #", "startTimeout": 0.5"#)
    #expect(result.status == 75, "\(result)")
    #expect(result.messages.contains("nothing came from srt://127.0.0.1:\(port) within 0.5 s"))
    #expect(!"\(result)".contains("0123456789"), "\(result)")
  }

  @Test func aRecordingIsWholeWhereTheSenderIsGone() async throws {
    try LiveServers.writeStream(in: folder)
    let port = try await LiveServers.freePort()
    let times = #", "stallTimeout": 0.3, "reconnectTimeout": 0.5"#
    let output = Pipe()
    let sender = try await LiveServers.send(
      folder, to: "udp://127.0.0.1:\(port)?pkt_size=1316")
    let run = try Graphctl.Running(
      recording("udp://127.0.0.1:\(port)", times, seconds: 20), in: folder, output: output)
    let lines = Lines(of: output)
    #expect(await lines.wait(for: "\"position\": 1."))
    sender.stop()
    let result = try await run.result()
    #expect(result.status == 75, "\(result)")
    #expect(result.messages.contains("within 0.5 s: nothing came for 0.3 s"), "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.count == 2 && movie.tracks[0].sampleCount > 15, "\(movie)")
    #expect(try await complaints() == "")
  }

  @Test func aRecordingBesideIsWholeWhereNothingComes() async throws {
    let port = try await LiveServers.freePort()
    try folder.write(
      "beside.json",
      """
      { "nodes": {
          "live":    { "type": "liveStream", "uri": "udp://:\(port)", "startTimeout": 1.5 },
          "nothing": { "type": "nullSink" },
          "picture": { "type": "testVideo", "width": 96, "height": 72, "live": true },
          "video":   { "type": "h264Encoder", "lowLatency": true },
          "movie":   { "type": "mp4Sink", "path": "movie.mp4" } },
        "wires": ["live.video -> nothing", "picture -> video -> movie.video"] }
      """)
    let result = try await Graphctl.run(["run", "beside.json"], in: folder)
    #expect(result.status == 75 && result.messages.contains("nothing came from"), "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(abs(movie.duration - 1.5) < 0.3 && movie.tracks[0].sampleCount > 35, "\(movie)")
  }

  /// What comes is recorded where a sender has video alone, or audio alone.
  @Test(arguments: [("v", "audio"), ("a", "video")])
  func aSenderWithoutATrackIsRecorded(_ kept: String, _ missing: String) async throws {
    try LiveServers.writeStream(in: folder)
    try await Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", "stream.ts", "-map", "0:\(kept)", "-c", "copy", "-y", "one.ts"],
      in: folder.url)
    try await Tool.run("mv", ["one.ts", "stream.ts"], in: folder.url)
    let port = try await LiveServers.freePort()
    let sender = try await LiveServers.send(folder, to: "udp://127.0.0.1:\(port)?pkt_size=1316")
    let result = try await record("udp://127.0.0.1:\(port)", seconds: 7)
    #expect(result.status == 0, "\(result)")
    let warnings = result.messages.split(separator: "\n").filter { $0.contains("warning") }
    #expect(warnings.count == 1, "\(result)")
    #expect(
      result.messages.contains(
        "live: warning: udp://127.0.0.1:\(port) sent no \(missing) within 5.0 s of the other track, "
          + "so `\(missing)` ends without it"), "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.map(\.codec) == [kept == "v" ? "avc1" : "mp4a"], "\(movie)")
    // Audio alone ends somewhat late: its packets had been waiting.
    #expect((6.8...7.5).contains(movie.duration), "\(movie)")
    let data = try Data(contentsOf: URL(filePath: "\(folder.path)/report.json"))
    let wires = try JSONDecoder().decode(Report.self, from: data).wires
    #expect(!wires.values.contains { $0.dropped["wireFull"] != nil }, "\(wires)")
    _ = sender
  }

  @Test func wrongAddressesAreProblems() async throws {
    for (uri, word) in [
      ("movie.mp4", "is no address of a live stream"), ("udp://:0", "there is no port 0"),
      ("udp://a", "is no address of UDP"), ("srt://:70", "names no host"),
      ("rtsp://", "names no host"), ("rtmp://a:99999/b", "there is no port 99999"),
      ("rtsp://239.1.1.1:554/a", "is the address of a group"),
      ("http://[ff02::1]/a.m3u8", "is the address of a group"),
    ] {
      let result = try await record(uri)
      #expect(result.status == 65 && result.messages.contains(word), "\(result)")
    }
  }
}
