import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Copies have every sample of their file, or the run says which not.
  @Suite struct WholeCopyTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func copy(_ input: String, _ port: String, catalog: Catalog = .builtIn) async throws
      -> Report
    {
      try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
            "movie": { "type": "\(catalog["lossySink"] == nil ? "mp4Sink" : "lossySink")",
              "path": "\(scratch.path("out.mp4"))" } },
          "wires": ["in.\(port) -> movie.\(port)"] }
        """, catalog: catalog
      ).run()
    }

    /// Writes a number of four bytes into a file, at a distance from the first box of a name.
    private func write(_ value: UInt32, at distance: Int, of box: String, in path: String) throws {
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let start = try #require(bytes.firstRange(of: Array(box.utf8))?.upperBound) + distance
      for index in 0..<4 { bytes[start + index] = UInt8(value >> UInt32(8 * (3 - index)) & 0xff) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func video(_ options: String) throws -> String {
      let path = scratch.path("in.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=2 -c:v libx264 -preset ultrafast -bf 0",
        "-pix_fmt yuv420p -use_editlist 0 \(options)", to: path)
      return path
    }

    private func frames(_ path: String) throws -> Int {
      let words = ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"]
      return String(decoding: try tool("ffmpeg", words), as: UTF8.self)
        .split(whereSeparator: \.isNewline).count { !$0.hasPrefix("#") }
    }

    @Test("a header that says too short a time loses nothing")
    func understatedHeader() async throws {
      let path = try video("-video_track_timescale 12800")
      try write(UInt32(48 * 512), at: 16, of: "mdhd", in: path)
      try write(1_920, at: 16, of: "mvhd", in: path)
      let report = try await copy(path, "video")
      #expect(report.wires["in.video -> movie.video"]?.samplesIn == 50)
      #expect(try frames(scratch.path("out.mp4")) == 50)
    }

    /// The packets of a file's audio, by their hashes.
    private func packets(_ path: String) throws -> [String] {
      let words = ["-v", "error", "-ignore_editlist", "1", "-i", path, "-map", "0:a", "-c", "copy"]
      let output =
        path.hasSuffix(".mp4") ? words : Array(words[..<2] + words[4...])
      return String(decoding: try tool("ffmpeg", output + ["-f", "framemd5", "-"]), as: UTF8.self)
        .split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: ",").dropFirst(5).first.map(String.init) }
    }

    @Test(
      "packets of Opus are copied as they are, of several streams, too",
      arguments: ["a.mka", "a.ogg", "a.webm", "b.mp4"], [(6, "600k"), (2, "400k"), (1, "16k")])
    func opus(_ name: String, _ sound: (channels: Int, rate: String)) async throws {
      let path = scratch.path(name)
      let noise = (0..<sound.channels).map { "random(\($0))*0.4-0.2" }.joined(separator: "|")
      let layout = [6: "5.1", 2: "stereo", 1: "mono"][sound.channels] ?? ""
      try ffmpeg(
        "-f lavfi -i aevalsrc=\(noise):s=48000:d=1:c=\(layout)",
        "-c:a libopus -b:a \(sound.rate) -mapping_family \(sound.channels > 2 ? 1 : 0)", to: path)
      _ = try await copy(path, "audio")
      let (expected, found) = (try packets(path), try packets(scratch.path("out.mp4")))
      #expect(expected.count >= 50)
      #expect(found == expected)
    }

    @Test("a header that says too short a time loses no audio")
    func understatedAudio() async throws {
      let path = scratch.path("in.m4a")
      try ffmpeg("-f lavfi -i sine=r=48000:d=2 -c:a aac", to: path)
      let whole = try probe(path).first?.frames
      try write(93 * 1024, at: 16, of: "mdhd", in: path)
      let report = try await copy(path, "audio")
      #expect(report.wires["in.audio -> movie.audio"]?.samplesIn == whole)
      #expect(try probe(scratch.path("out.mp4")).first?.frames == whole)
    }

    @Test("a last frame whose length is unknown is shown as long as the one before")
    func variableRate() async throws {
      let path = scratch.path("in.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=2 -vf setpts=N*N/2000/TB -fps_mode passthrough",
        "-enc_time_base 1/90000 -c:v libx264 -preset ultrafast -bf 0 -x264opts force-cfr=0",
        "-bsf:v h264_metadata=tick_rate=0/1 -pix_fmt yuv420p", to: path)
      _ = try await copy(path, "video")
      #expect(try frames(path) == 50)
      #expect(try frames(scratch.path("out.mp4")) == 50)
    }

    @Test("samples in fragments are read, though the edit list ends with those of the index")
    func samplesInBoth() async throws {
      let path = scratch.path("in.m4a")
      try ffmpeg(
        "-f lavfi -i sine=r=44100:d=4 -c:a aac -movflags frag_keyframe -use_editlist 1",
        "-frag_duration 1000000", to: path)
      // 44 of its 174 packets are in the index.
      try write(999, at: 8, of: "elst", in: path)
      let report = try await copy(path, "audio")
      #expect(report.wires["in.audio -> movie.audio"]?.samplesIn == 174)
      #expect(try probe(scratch.path("out.mp4")).first?.frames == 174)
    }

    @Test("a packet that begins where the edit list ends isn't in the copy")
    func packetAtTheEnd() async throws {
      let path = scratch.path("in.m4a")
      try ffmpeg(
        "-f lavfi -i sine=r=44100 -af atrim=end_sample=49152 -c:a alac -movie_timescale 44100",
        to: path)
      try write(45_056, at: 8, of: "elst", in: path)
      let report = try await copy(path, "audio")
      #expect(report.wires["in.audio -> movie.audio"]?.samplesIn == 11)
      #expect(try probe(scratch.path("out.mp4")).first?.frames == 11)
    }

    @Test("what a sink takes and doesn't write is a warning, and in the ledger")
    func lostInTheSink() async throws {
      var catalog = Catalog.builtIn
      _ = catalog.add(NodeType(LossySink.self))
      let path = scratch.path("in.m4a")
      try ffmpeg("-f lavfi -i sine=r=48000:d=2 -c:a aac", to: path)
      let report = try await copy(path, "audio", catalog: catalog)
      let ledger = try #require(report.wires["in.audio -> movie.audio"])
      let written = try #require(try probe(scratch.path("out.mp4")).first?.frames)
      #expect(
        written < ledger.samplesIn && ledger.samplesOut == written && ledger.isBalanced)
      let lost = try #require(ledger.dropped["notWritten"])
      let warnings = report.warnings ?? []
      #expect(warnings.map(\.node) == ["movie"])
      #expect(
        warnings.first?.message.hasPrefix("\(lost) of the \(ledger.samplesIn) samples") == true)
    }
  }
}

/// A movie that some of what comes doesn't get into.
private struct LossySink: ElementNode {
  var path = ""
  static let declaration = NodeDeclaration<LossySink>(
    "lossySink", role: .sink, help: "Loses samples.", example: "a -> lossySink.audio",
    parameters: [.path("path", \.path, help: "The file.")])
  static let ports = MP4Sink.ports

  private var sink: MP4Sink {
    var sink = MP4Sink()
    sink.path = path
    return sink
  }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chains = try sink.elements(in: environment, formats: formats)
    chains[0].inputElements["audio", default: []].append(
      ElementSpec("identity", plugin: "coreelements", ["drop-probability": "0.3"]))
    return chains
  }
}
