import Foundation
import GraphKit
import Nodes
import Testing

/// Sends two packets a second time.
private struct Repeated: SwiftNode {
  private var packets: [(bytes: [UInt8], time: MediaTime)] = []
  static let declaration = NodeDeclaration<Repeated>(
    "repeated", role: .effect, help: "Repeats.", example: "a -> repeated -> b")
  static let ports = EffectPorts<EncodedAudio>()

  mutating func process(_ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs)
    throws
  {
    let (format, duration) = (sample.format, sample.duration)
    let bytes = sample.withBytes { span in span.indices.map { span[$0] } }
    packets.append((bytes, sample.presentationTime))
    try outputs.send(sample, on: 0)
    guard packets.count == 30 else { return }
    for packet in packets[10..<12] {
      var again = SampleBuffer(bytes: packet.bytes, format: format)
      (again.presentationTime, again.duration) = (packet.time, duration)
      again.decodeTime = packet.time
      try outputs.send(again, on: 0)
    }
  }
}

extension FileTests {
  /// Encoded samples that a program appends.
  @Suite struct EncodedInputTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// The packets of a file's only stream, each as it lies there.
    private func packets(of path: String) throws -> [[UInt8]] {
      let words = ["-v", "error", "-show_entries", "packet=pos,size", "-of", "json", path]
      struct Answer: Decodable {
        struct Packet: Decodable { var pos: String, size: String }
        var packets: [Packet]
      }
      let answer = try JSONDecoder().decode(Answer.self, from: tool("ffprobe", words))
      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
      return answer.packets.compactMap { packet in
        guard let start = Int(packet.pos), let size = Int(packet.size) else { return nil }
        return Array(bytes[start..<(start + size)])
      }
    }

    private func append(_ packets: [[UInt8]], every length: MediaTime, to input: SampleInput)
      async throws
    {
      for (number, bytes) in packets.enumerated() {
        var sample = SampleBuffer(bytes: bytes, format: input.format)
        sample.presentationTime = length * number
        sample.decodeTime = length * number
        sample.duration = length
        try await input.append(sample)
      }
      input.markAsFinished()
    }

    private func record(_ nodes: String, _ packets: [[UInt8]], every length: MediaTime) async throws
      -> ProbedStream
    {
      let (output, second) = (scratch.path("out.mp4"), scratch.path("second.mkv"))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "appInput", \(nodes) },
                     "movie": { "type": "mp4Sink", "path": "\(output)" },
                     "other": { "type": "matroskaSink", "path": "\(second)" },
                     "end": { "type": "nullSink" } },
          "wires": ["in -> movie", "in -> other", "in -> end"] }
        """)
      let input = try run.input("in")
      run.start()
      try await append(packets, every: length, to: input)
      #expect(try await run.end().unbalanced == [])
      #expect(try decodeComplaints(output) == "" && decodeComplaints(second) == "")
      #expect(try packetCount(second) == packets.count)
      try FileManager.default.removeItem(atPath: second)
      return try #require(try probe(output).first)
    }

    @Test func packetsFromBeforeTheLastAreNamedAndCounted() async throws {
      let (input, output) = (scratch.path("a.aac"), scratch.path("out.mp4"))
      try ffmpeg("-f lavfi -i sine=f=440:r=48000:d=2 -ac 2 -c:a aac", to: input)
      var catalog = Catalog.builtIn
      _ = catalog.add(NodeType(Repeated.self))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" }, "again": { "type": "repeated" },
                     "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in -> again -> movie"] }
        """, catalog: catalog)
      let report = try await run.run()
      #expect(report.unbalanced == [])
      let wire = try #require(report.wires.first { $0.key.hasPrefix("again.out") })
      #expect(wire.value.dropped["notWritten"] == 2, "\(wire)")
      let told = report.warnings?.map(\.message) ?? []
      #expect(
        told.count == 1 && told[0].hasPrefix("2 of the ")
          && told[0].hasSuffix("2 are to be decoded before one that had come already"), "\(told)")
      #expect(try decodeComplaints(output) == "")
    }

    @Test("H.264 access units make a movie")
    func pictures() async throws {
      let input = scratch.path("a.h264")
      try ffmpeg(
        "-f lavfi -i testsrc=s=320x180:r=30:d=1 -c:v libx264 -bf 0 -pix_fmt yuv420p", to: input)
      let track = try await record(
        #""media": "video", "codec": "h264", "width": 320, "height": 180, "frameRate": 30"#,
        packets(of: input), every: MediaTime(value: 1, timescale: 30))
      #expect(track.codec_name == "h264" && track.frames == 30 && abs(track.end - 1) < 0.01)
    }

    @Test("AAC packets make a movie, with their header or in caps")
    func sound() async throws {
      let framed = scratch.path("a.aac")
      try ffmpeg("-f lavfi -i sine=f=440:r=48000:d=1 -ac 2 -c:a aac", to: framed)
      let length = MediaTime(value: 1024, timescale: 48_000)
      let packets = try packets(of: framed)
      let one = try await record(
        #""codec": "aac", "sampleRate": 48000, "channels": 2"#, packets, every: length)
      #expect(one.codec_name == "aac" && one.frames == packets.count)
      try FileManager.default.removeItem(atPath: scratch.path("out.mp4"))
      let caps =
        "audio/mpeg, mpegversion=(int)4, stream-format=(string)raw, rate=(int)48000, "
        + "channels=(int)2, codec_data=(buffer)1190"
      // An ADTS header without a checksum is seven bytes long.
      let other = try await record(
        "\"caps\": \"\(caps)\"", packets.map { Array($0.dropFirst(7)) }, every: length)
      #expect(other == one)
    }
  }
}
