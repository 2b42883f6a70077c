import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Files that are cut off, or lie about themselves: a clear error, or the samples that are there.
  @Suite struct HostileSoundTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    static let files = ["a.wav", "a.flac", "a.mp3", "a.m4a", "a.ogg"]

    private func sound(_ name: String) throws -> [UInt8] {
      let path = scratch.path(name)
      try ffmpeg("-f lavfi -i sine=f=300:r=8000:d=4", to: path)
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The number of samples that come of some bytes; `nil` where an error says what is wrong.
    private func count(_ bytes: [UInt8], as name: String) async throws -> Int? {
      let path = try scratch.write(bytes, to: "hostile-\(name)")
      do {
        return try await ReducedFile(input: path, cores: 2).samples(in: scratch).count
      } catch let error as GraphErrors {
        #expect(!error.diagnostics.isEmpty)
      } catch let error as RunError {
        #expect(!error.description.isEmpty)
      }
      return nil
    }

    /// A converter would take hundreds of gigabytes for its tables, and end the process.
    @Test(arguments: [
      #"{ "type": "aacEncoder" }"#, #"{ "type": "resample", "sampleRate": 48000 }"#,
    ])
    func aDamagedRateIsAnError(_ node: String) async throws {
      var bytes = try sound("a.wav")
      let header = try #require(bytes.firstRange(of: Array("fmt ".utf8))).lowerBound
      bytes.replaceSubrange(header + 12..<header + 16, with: [0xff, 0xff, 0xff, 0x7f])
      let path = try scratch.write(bytes, to: "rate.wav")
      let sink = node.contains("aac") ? "mp4Sink" : "wavSink"
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "node": \(node),
            "out": { "type": "\(sink)", "path": "\(scratch.path("out.\(sink.dropLast(4))"))" } },
          "wires": ["in.audio -> node -> out\(sink == "mp4Sink" ? ".audio" : "")"] }
        """)
      let error = await #expect(throws: RunError.self) { try await run.run() }
      #expect(error?.report.failure?.message.contains("2147483647 Hz") == true)
    }

    @Test(arguments: files)
    func cutOff(_ name: String) async throws {
      let bytes = try sound(name)
      let whole = try #require(try await count(bytes, as: name))
      for part in stride(from: 1, to: 16, by: 2) {
        let found = try await count(Array(bytes.prefix(bytes.count * part / 16)), as: name)
        #expect(found ?? 0 <= whole, "\(part)/16")
        // What is whole of a file without an index is all there.
        if name == "a.wav", part > 0 {
          #expect(abs((found ?? 0) - whole * part / 16) < 50, "\(part)/16")
        } else if name == "a.flac", part > 8 {
          #expect((found ?? 0) > whole * part / 32, "\(part)/16")
        }
      }
    }

    @Test(arguments: files)
    func noiseAfterAGoodStartMakesNoMoreSamples(_ name: String) async throws {
      var bytes = try sound(name)
      let whole = try #require(try await count(bytes, as: name))
      var state: UInt32 = 7
      for index in min(200, bytes.count / 4)..<bytes.count {
        state = state &* 1_664_525 &+ 1_013_904_223
        bytes[index] = UInt8(state >> 24)
      }
      let found = try await count(bytes, as: name)
      // PCM has no noise that isn't samples.
      #expect(name == "a.wav" ? found == whole : found ?? 0 <= whole, "\(found ?? -1)")
    }

    @Test(arguments: [0, 0xffff_ffff, 0x7fff_ffff, 999])
    func wrongSizeOfData(_ size: UInt32) async throws {
      var bytes = wav(frames: 1_000)
      bytes.replaceSubrange(40..<44, with: NodesTests.bytes([size]))
      bytes.replaceSubrange(4..<8, with: NodesTests.bytes([size]))
      let expected = size == 999 ? 499 : 1_000
      #expect(try await count(bytes, as: "a.wav") == expected)
    }

    @Test("a header whose samples are longer than any is an error, not an endless read")
    func hugeSamples() async throws {
      var bytes = wav(frames: 1_000)
      let tag = Array("fmt ".utf8)
      let chunk = try #require(bytes.firstRange(of: tag)).upperBound + 4
      // Six channels in frames of 65,535 bytes, as floating-point numbers.
      bytes.replaceSubrange(chunk..<chunk + 4, with: NodesTests.bytes([UInt32(0x0006_0003)]))
      bytes.replaceSubrange(chunk + 12..<chunk + 16, with: NodesTests.bytes([UInt32.max]))
      let path = try scratch.write(bytes, to: "a.wav")
      let error = #expect(throws: NodeError.self) { try LiveEnvironment().discover(path) }
      #expect(error?.message == "`\(path)` says that a sample has 10922 bytes")
    }

    @Test("what lies behind no samples at all is no sound", arguments: [0, 1])
    func behindNothing(padding: Int) async throws {
      let list = Array("LIST".utf8) + NodesTests.bytes([UInt32(8)]) + Array("INFOIART".utf8)
      var bytes = wav(frames: 0) + list
      bytes.replaceSubrange(4..<8, with: NodesTests.bytes([UInt32(bytes.count - 8 + padding)]))
      let path = try scratch.write(bytes, to: "a.wav")
      #expect(try LiveEnvironment().discover(path).map(\.pcm?.frameCount) == [0])
      // A recorder that never came to write its sizes has left sound there.
      bytes.replaceSubrange(4..<8, with: NodesTests.bytes([UInt32(0)]))
      _ = try scratch.write(bytes, to: "a.wav")
      #expect(try LiveEnvironment().discover(path).map(\.pcm?.frameCount) == [8])
    }

    @Test(arguments: [22, 24, 34])
    func aFormatOfNothingIsRefused(_ place: Int) async throws {
      var bytes = wav(frames: 1_000)
      for index in place..<place + (place == 24 ? 4 : 2) { bytes[index] = 0 }
      #expect(try await count(bytes, as: "a.wav") == nil)
    }

    @Test
    func chunksWithoutEnd() async throws {
      let empty = Array("junk".utf8) + [0, 0, 0, 0]
      let many = Array(repeating: empty, count: 50_000).flatMap(\.self)
      #expect(try await count(Array(wav(frames: 0).prefix(12)) + many, as: "a.wav") == nil)
      let path = scratch.path("hostile-a.wav")
      let error = #expect(throws: NodeError.self) { try LiveEnvironment().discover(path) }
      #expect(error?.message.contains("more than 1000 chunks") == true)
      // A chunk that is longer than the file.
      let long = Array("junk".utf8) + [0xff, 0xff, 0xff, 0xff, 0, 0]
      #expect(try await count(Array(wav(frames: 0).prefix(12)) + long, as: "a.wav") == nil)
    }

    private func wav(frames: Int) -> [UInt8] {
      let data = NodesTests.bytes((0..<frames).map { Int16($0) })
      let format =
        NodesTests.bytes([UInt16(1), 1]) + NodesTests.bytes([UInt32(8_000), 16_000])
        + NodesTests.bytes([UInt16(2), 16])
      return Array("RIFF".utf8) + NodesTests.bytes([UInt32(36 + data.count)])
        + Array("WAVEfmt ".utf8)
        + NodesTests.bytes([UInt32(16)]) + format + Array("data".utf8)
        + NodesTests.bytes([UInt32(data.count)]) + data
    }
  }
}
