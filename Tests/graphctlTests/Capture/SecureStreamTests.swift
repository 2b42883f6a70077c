import Foundation
import GraphKit
import TestTools
import Testing

/// Encrypted live streams of servers on this machine, whose certificates are trusted or aren't.
@Suite(.inTurnOrAlone) struct SecureStreamTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  /// Records a second of a stream, by default from a server whose certificate is trusted.
  private func record(
    _ uri: String, _ more: String = "", trusting name: String? = "server"
  ) async throws -> Graphctl.Result {
    try folder.write(
      "live.json",
      """
      { "nodes": {
          "live":  { "type": "liveStream", "uri": "\(uri)"\(more) },
          "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "movie.mp4", "overwrite": true, "seconds": 1 } },
        "wires": ["live.video -> video -> movie.video", "live.audio -> audio -> movie.audio"] }
      """)
    let trust = name.map { SecureServers.trusting($0, in: folder) } ?? [:]
    return try await Graphctl.run(["run", "live.json"], in: folder, environment: trust)
  }

  private func expectMovie(_ result: Graphctl.Result) throws {
    #expect(result.status == 0, "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.count == 2 && abs(movie.duration - 1) < 0.1, "\(movie)")
    #expect((23...29).contains(movie.tracks[0].sampleCount), "\(movie)")
  }

  /// Nothing was received, which no other try helps, and the message says why.
  private func expectRefusal(_ result: Graphctl.Result, _ uri: String, _ words: String) {
    #expect(result.status == 74, "\(result)")
    #expect(
      result.messages.contains("\(uri) can't be received: its certificate isn't trusted: \(words)"),
      "\(result)")
    #expect(!result.messages.contains("tried again"), "\(result)")
  }

  private let stranger = "this machine doesn't know the authority that signed it"

  @Test func aServerOfRTSPIsRecorded() async throws {
    try await SecureServers.writeCertificate(in: folder)
    let server = try await SecureServers.rtsps(in: folder)
    let uri = "rtsps://127.0.0.1:\(try #require(await server.lines.next()))/shown"
    try expectMovie(try await record(uri))
    expectRefusal(try await record(uri, trusting: nil), uri, stranger)
  }

  @Test func aServerOfRTMPIsRecorded() async throws {
    try LiveServers.writeStream(in: folder)
    try await SecureServers.writeCertificate(in: folder)
    let (inner, port) = (try await LiveServers.freePort(), try await LiveServers.freePort())
    let server = try await LiveServers.rtmp(inner, in: folder)
    let front = try await SecureServers.front(port, of: inner, in: folder)
    let sender = try await LiveServers.publish(folder, to: inner, "a")
    let uri = "rtmps://127.0.0.1:\(port)/live/a"
    try expectMovie(try await record(uri))
    expectRefusal(try await record(uri, trusting: nil), uri, stranger)
    _ = (server, front, sender)
  }

  @Test func aPlaylistIsRecorded() async throws {
    try LiveServers.writeStream(in: folder)
    try await SecureServers.writeCertificate(in: folder)
    try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", "stream.ts", "-t", "2", "-c", "copy", "-hls_time", "1",
        "-hls_list_size", "0", "list.m3u8",
      ], in: folder.url)
    let server = try await SecureServers.https(in: folder)
    let uri = "https://127.0.0.1:\(try #require(await server.lines.next()))/list.m3u8"
    try expectMovie(try await record(uri))
    expectRefusal(try await record(uri, trusting: nil), uri, stranger)
  }

  @Test func aCertificateOfAnotherHostIsRefused() async throws {
    try await SecureServers.writeCertificate(of: "DNS:example.org", in: folder)
    let server = try await SecureServers.rtsps(in: folder)
    let uri = "rtsps://127.0.0.1:\(try #require(await server.lines.next()))/shown"
    expectRefusal(try await record(uri), uri, "it is for another host")
  }

  @Test func certificatesThatCannotBeReadAreAProblem() async throws {
    let result = try await record("rtsps://127.0.0.1/a", trusting: "missing")
    #expect(result.status == 65, "\(result)")
    #expect(
      result.messages.contains(
        "the certificates of `\(folder.path)/missing.pem`, which CURL_CA_BUNDLE names, can't be read"
      ),
      "\(result)")
  }

  @Test func datagramsAreNotForWhatIsEncrypted() async throws {
    let result = try await record("rtsps://127.0.0.1/a", #", "transport": "udp""#)
    #expect(result.status == 65, "\(result)")
    #expect(result.messages.contains("datagrams wouldn't be"), "\(result)")
  }
}
