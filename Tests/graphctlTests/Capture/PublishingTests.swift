import Foundation
import GraphKit
import TestTools
import Testing

/// Streams that are published to servers on this machine, and what happens where none is there.
@Suite(.inTurnOrAlone) struct PublishingTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func publish(_ sink: String, seconds: Double = 1.5) throws -> [String] {
    try folder.write(
      "net.json",
      """
      { "nodes": {
          "picture": { "type": "testVideo", "width": 96, "height": 72, "live": true,
                       "seconds": \(seconds) },
          "tone":    { "type": "testAudio", "live": true, "seconds": \(seconds) },
          "video":   { "type": "h264Encoder", "keyFrameInterval": 5, "lowLatency": true },
          "audio":   { "type": "aacEncoder" },
          "network": { \(sink) },
          "movie":   { "type": "mp4Sink", "path": "movie.mp4" } },
        "wires": ["picture -> video -> network.video", "tone -> audio -> network.audio",
                  "video -> movie.video", "audio -> movie.audio"] }
      """)
    return ["run", "net.json", "--events=connection", "--report", "report.json"]
  }

  /// The recording beside it has every frame.
  private func expectMovie(_ result: Graphctl.Result, seconds: Double = 1.5) throws {
    #expect(result.status == 0, "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.map(\.sampleCount).first == Int(seconds * 30), "\(movie)")
    #expect(movie.tracks.count == 2 && abs(movie.duration - seconds) < 0.1, "\(movie)")
  }

  private func connections() throws -> ConnectionReport {
    let report = try JSONDecoder().decode(Report.self, from: folder.data("report.json"))
    return try #require(report.connections?["network"])
  }

  /// The packets of each stream of a file, as ffprobe counts them.
  private func packets(of name: String) async throws -> [String: Int] {
    let words = ["-v", "quiet", "-count_packets", "-of", "csv=p=0"]
    let fields = ["-show_entries", "stream=codec_name,nb_read_packets", name]
    let lines = try await Tool.result("ffprobe", words + fields, in: folder.url).output
    let pairs = lines.split(separator: "\n").map { $0.split(separator: ",") }
    return Dictionary(
      pairs.map { (String($0[0]), Int($0.last ?? "") ?? 0) }, uniquingKeysWith: { $0 + $1 })
  }

  private func expect(_ packets: [String: Int], seconds: Double) {
    #expect(packets["h264"] ?? 0 > Int(seconds * 30), "\(packets)")
    #expect(packets["aac"] ?? 0 > Int(seconds * 40), "\(packets)")
  }

  @Test func aServerOfRTMPRecords() async throws {
    let port = try await LiveServers.freePort()
    let server = try await LiveServers.rtmp(port, in: folder)
    let address = "rtmp://127.0.0.1:\(port)/kept/secret"
    let result = try await Graphctl.run(
      publish(#""type": "rtmpSink", "uri": "\#(address)""#), in: folder)
    try expectMovie(result)
    expect(try await packets(of: "secret.flv"), seconds: 1)
    #expect(try connections().connected == 1)
    _ = server
  }

  @Test(arguments: ["tcp", "udp"]) func aServerOfRTSPRecords(_ transport: String) async throws {
    let server = try await LiveServers.rtsp(recording: "\(folder.path)/taken")
    let port = try #require(await server.lines.next())
    let result = try await Graphctl.run(
      publish(
        #""type": "rtspSink", "transport": "\#(transport)", "uri": "rtsp://127.0.0.1:\#(port)/taken""#
      ),
      in: folder)
    try expectMovie(result)
    #expect(try await packets(of: "taken.aac")["aac"] ?? 0 > 30)
    #expect(try await packets(of: "taken.h264")["h264"] ?? 0 > 24)
  }

  /// Where the certificate is trusted; else the warning says that it isn't, and the rest is whole.
  @Test(arguments: [true, false]) func anEncryptedServerRecords(_ isTrusted: Bool) async throws {
    try await SecureServers.writeCertificate(in: folder)
    let (inner, port) = (try await LiveServers.freePort(), try await LiveServers.freePort())
    let server = try await LiveServers.rtmp(inner, in: folder)
    let front = try await SecureServers.front(port, of: inner, in: folder)
    let secure = try await SecureServers.rtsps(in: folder)
    let other = try #require(await secure.lines.next())
    for (sink, uri, name) in [
      ("rtmpSink", "rtmps://127.0.0.1:\(port)/kept/secret", "secret.flv"),
      ("rtspSink", "rtsps://127.0.0.1:\(other)/taken", "taken.h264"),
    ] {
      let result = try await Graphctl.run(
        publish(#""type": "\#(sink)", "uri": "\#(uri)""#) + ["--overwrite"], in: folder,
        environment: isTrusted ? SecureServers.trusting(in: folder) : [:])
      try expectMovie(result)
      #expect(try connections().connected == (isTrusted ? 1 : 0), "\(result)")
      guard isTrusted else {
        let words = "its certificate isn't trusted: this machine doesn't know the authority"
        #expect(result.messages.contains("can't be sent to: \(words)"), "\(result)")
        #expect(result.messages.contains("CURL_CA_BUNDLE"), "\(result)")
        continue
      }
      #expect(try await packets(of: name)["h264"] ?? 0 > 24)
    }
    _ = (server, front)
  }

  @Test(arguments: ["rtmpSink", "rtspSink"])
  func aServerThatIsGoneHoldsNothingUp(_ type: String) async throws {
    let port = try await LiveServers.freePort()
    let scheme = type.prefix(4)
    let result = try await Graphctl.run(
      publish(#""type": "\#(type)", "uri": "\#(scheme)://127.0.0.1:\#(port)/kept/secret""#),
      in: folder)
    try expectMovie(result)
    #expect(try connections().refused >= 2 && connections().connected == 0)
    let words = type == "rtspSink" ? "no connection could be made" : "Connection refused"
    #expect(result.messages.contains("can't be sent to: \(words)"), "\(result)")
    #expect(type == "rtspSink" || !"\(result)".contains("secret"), "\(result)")
  }

  @Test func aServerThatComesLaterIsConnectedTo() async throws {
    let port = try await LiveServers.freePort()
    let address = "rtmp://127.0.0.1:\(port)/kept/late"
    let output = Pipe()
    let run = try Graphctl.Running(
      publish(#""type": "rtmpSink", "uri": "\#(address)""#, seconds: 3), in: folder, output: output)
    #expect(await Lines(of: output).wait(for: "refused"))
    let server = try await LiveServers.rtmp(port, in: folder)
    try expectMovie(try await run.result(), seconds: 3)
    #expect(try connections().connected == 1 && connections().refused >= 1)
    #expect(try await packets(of: "late.flv")["h264"] ?? 0 > 10)
    _ = server
  }

  @Test func wrongAddressesAreProblems() async throws {
    for (sink, word) in [
      (#""type": "rtmpSink", "uri": "http://a:1""#, "is no address of RTMP"),
      (#""type": "rtmpSink", "uri": "rtmp://a""#, "is no address of RTMP"),
      (#""type": "rtspSink", "uri": "srt://a:70""#, "is no address of RTSP"),
      (#""type": "rtspSink", "uri": "rtsp://a:70000/b""#, "there is no port 70000"),
      (#""type": "rtspSink", "uri": "rtsps://a/b", "transport": "udp""#, "datagrams wouldn't be"),
    ] {
      _ = try publish(sink)
      let result = try await Graphctl.run(["check", "net.json"], in: folder)
      #expect(result.status == 65 && result.messages.contains(word), "\(result)")
    }
  }
}
