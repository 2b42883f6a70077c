import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// Files that have no media, and name addresses where they are.
  @Suite struct PlaylistFileTests {
    let scratch: TestFolder
    let server: WebServer

    init() throws {
      scratch = try TestFolder()
      server = try WebServer(scratch.path("."))
    }

    static let kinds = [
      "an HLS playlist", "a DASH manifest", "a Smooth Streaming manifest", "a session description",
      "a list of addresses",
    ]

    private func text(_ kind: String) throws -> String {
      let address = server.address(of: "media.ts")
      return switch kind {
      case "an HLS playlist":
        "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:2,\n\(address)\n#EXT-X-ENDLIST\n"
      case "a DASH manifest":
        """
        <?xml version="1.0"?>
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" minBufferTime="PT1S" \
        mediaPresentationDuration="PT2S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">\
        <Period><AdaptationSet mimeType="video/mp2t"><Representation id="1" bandwidth="100000">\
        <BaseURL>\(address)</BaseURL></Representation></AdaptationSet></Period></MPD>
        """
      case "a Smooth Streaming manifest":
        """
        <?xml version="1.0"?>
        <SmoothStreamingMedia MajorVersion="2" MinorVersion="0" Duration="20000000"><StreamIndex \
        Type="video" QualityLevels="1" Chunks="1" Url="\(address)?{bitrate}"><QualityLevel \
        Index="0" Bitrate="100000" FourCC="H264" MaxWidth="320" MaxHeight="240" \
        CodecPrivateData="000000016764000D"/><c t="0" d="20000000"/></StreamIndex>\
        </SmoothStreamingMedia>
        """
      case "a session description":
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 33\n"
      default: "\(address)\n"
      }
    }

    private func upload(_ kind: String) throws -> String {
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:d=2 -pix_fmt yuv420p", to: scratch.path("media.ts"))
      return try scratch.write(Array(text(kind).utf8), to: "upload.mp4")
    }

    @Test(arguments: kinds) func nothingThatAFileNamesIsOpened(kind: String) throws {
      let path = try upload(kind)
      let error = #expect(throws: NodeError.self) { try LiveEnvironment().discover(path) }
      #expect(error?.message == "`\(path)` is \(kind), which has no media and names where they are")
      #expect(server.requests(.good) == [])
    }

    @Test(arguments: kinds) func norThatComesThroughAPipe(kind: String) async throws {
      let file = try #require(FileHandle(forReadingAtPath: upload(kind)))
      var builder = GraphBuilder(catalog: .builtIn)
      let input = builder.add("pipe", PipeSource()) { $0.descriptor = file.fileDescriptor }
      let waveform = builder.add("waveform", Waveform())
      let output = builder.add("points", NullSink())
      builder.connect(input.output, to: waveform.input)
      builder.connect(waveform.output, to: output.input)
      let machine = LiveEnvironment()
      let pipeline = try Pipeline(Plan(builder.build(in: machine)), environment: machine)
      let error = await #expect(throws: RunError.self) { try await pipeline.run() }
      #expect(error?.report.failure?.node == "pipe")
      #expect(server.requests(.good) == [])
    }
  }
}
