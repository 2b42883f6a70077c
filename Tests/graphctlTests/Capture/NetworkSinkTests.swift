import Foundation
import GraphKit
import TestTools
import Testing

/// Streams that are sent to programs on this machine, and what happens where none is there.
@Suite(.inTurnOrAlone) struct NetworkSinkTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func graph(_ sink: String, seconds: Double, keyFrameInterval: Int = 10) -> String {
    """
    { "nodes": {
        "picture": { "type": "testVideo", "width": 96, "height": 72, "live": true,
                     "seconds": \(seconds) },
        "tone":    { "type": "testAudio", "live": true, "seconds": \(seconds) },
        "video":   { "type": "h264Encoder", "keyFrameInterval": \(keyFrameInterval),
                     "lowLatency": true },
        "audio":   { "type": "aacEncoder" },
        "network": { \(sink) },
        "movie":   { "type": "mp4Sink", "path": "movie.mp4" } },
      "wires": ["picture -> video -> network.video", "tone -> audio -> network.audio",
                "video -> movie.video", "audio -> movie.audio"] }
    """
  }

  private func expectMovie(_ result: Graphctl.Result, seconds: Double) throws {
    #expect(result.status == 0, "\(result)")
    let movie = try MovieReader.read("\(folder.path)/movie.mp4")
    #expect(movie.tracks.count == 2 && abs(movie.duration - seconds) < 0.1, "\(movie)")
    #expect(movie.tracks[0].sampleCount >= Int(seconds * 30) - 1, "\(movie)")
  }

  /// Writes datagrams into a file until none has come for a second; the first line is its port.
  private let receiver = """
    import socket, sys
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(('127.0.0.1', 0))
    print(s.getsockname()[1], flush=True)
    s.settimeout(20)
    with open(sys.argv[1], 'wb') as f:
        try:
            while True:
                f.write(s.recv(65536)); f.flush()
                s.settimeout(1)
        except TimeoutError: pass
    print('done', flush=True)
    """

  @Test func datagramsArrive() async throws {
    let program = try await BackgroundProgram(
      "python3", ["-u", "-c", receiver, "\(folder.path)/got.ts"])
    let port = try #require(await program.lines.next())
    try folder.write(
      "net.json", graph(#""type": "udpSink", "host": "127.0.0.1", "port": \#(port)"#, seconds: 1))
    let result = try await Graphctl.run(["run", "net.json"], in: folder)
    try expectMovie(result, seconds: 1)
    #expect(await program.lines.wait(for: "done"))
    let found = try TransportReader.read("\(folder.path)/got.ts")
    #expect(found.tracks.map(\.codec) == ["H.264", "AAC"], "\(found)")
    #expect(found.tracks[0].sampleCount == 30, "\(found)")
    #expect(await Decoded.complaints(of: "got.ts", in: folder) == "")
  }

  /// A port that is free now.
  private func freePort() async throws -> String {
    let words = "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); "
    let program = try await BackgroundProgram(
      "python3", ["-c", words + "s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"])
    return try #require(await program.lines.next())
  }

  @Test(arguments: [120, 2_500]) func aListenerGetsTheStream(latency: Int) async throws {
    let port = try await freePort()
    let program = try await BackgroundProgram(
      "sh",
      [
        "-c", "srt-live-transmit -q -a:no \"$1\" file://con > \"$2\"; echo done", "sh",
        "srt://127.0.0.1:\(port)?mode=listener&latency=\(latency)", "\(folder.path)/got.ts",
      ])
    try folder.write(
      "net.json",
      // On a machine that has much to do SRT may leave out a packet, on which no other frame depends.
      graph(
        #""type": "srtSink", "uri": "srt://127.0.0.1:\#(port)""#, seconds: 2, keyFrameInterval: 1))
    let result = try await Graphctl.run(["run", "net.json"], in: folder)
    try expectMovie(result, seconds: 2)
    // It ends with the connection, and has written all by then.
    #expect(await program.lines.wait(for: "done"))
    let found = try TransportReader.read("\(folder.path)/got.ts")
    #expect(found.tracks.map(\.codec) == ["H.264", "AAC"], "\(found)")
    // What comes while they connect may be lost, but nothing at the end.
    #expect(found.tracks[0].sampleCount >= 30, "\(found)")
    let movie = try await lastFrame("movie.mp4")
    #expect(try await lastFrame("got.ts") == movie)
  }

  /// The picture that a file ends with, as ffmpeg decodes it.
  private func lastFrame(_ name: String) async throws -> String {
    let words = ["-v", "error", "-nostdin", "-i", name, "-map", "0:v", "-f", "framemd5", "-"]
    let result = try await Tool.result("ffmpeg", words, in: folder.url)
    let line = result.output.split(separator: "\n").last { !$0.hasPrefix("#") }
    return try #require(line?.split(separator: ",").last.map(String.init))
  }

  /// The recording beside it is whole, and the run ends when it should.
  @Test func aNetworkThatIsGoneHoldsNothingUp() async throws {
    let port = try await freePort()
    try folder.write(
      "net.json",
      graph(
        #""type": "srtSink", "uri": "srt://127.0.0.1:\#(port)", "bufferSize": 65536"#, seconds: 1.5)
    )
    let start = ContinuousClock.now
    let result = try await Graphctl.run(["run", "net.json"], in: folder)
    try expectMovie(result, seconds: 1.5)
    #expect(ContinuousClock.now - start < .seconds(8), "\(result)")
  }

  @Test func wrongAddressesAreProblems() async throws {
    for (sink, word) in [
      (#""type": "srtSink", "uri": "http://a:1""#, "is no address of SRT"),
      (#""type": "srtSink", "uri": "srt://:70""#, "names no host"),
      (#""type": "srtSink", "uri": "srt://a:70000""#, "there is no port 70000"),
      (#""type": "srtSink", "uri": "srt://239.1.1.1:7001""#, "is the address of a group"),
      (#""type": "udpSink", "host": "a b""#, "is no name or address"),
    ] {
      try folder.write("net.json", graph(sink, seconds: 1))
      let result = try await Graphctl.run(["check", "net.json"], in: folder)
      #expect(result.status != 0 && result.messages.contains(word), "\(result)")
    }
  }
}
