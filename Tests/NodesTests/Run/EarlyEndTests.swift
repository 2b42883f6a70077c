import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Streams that end before their files say, though no byte is missing.
  @Suite struct EarlyEndTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Two seconds of sound, in a file that says ten.
    private func longStated(_ name: String) throws -> String {
      let path = scratch.path(name)
      try ffmpeg("-f lavfi -i anoisesrc=r=48000:d=2:a=0.3:seed=1", to: path)
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      if name.hasSuffix("mka") {
        // The length is a number of 8 bytes, in milliseconds.
        let place = try #require(bytes.firstRange(of: [0x44, 0x89, 0x88])?.lowerBound)
        bytes.replaceSubrange(place + 3..<place + 11, with: bigEndian(10_000.0.bitPattern))
        return try scratch.write(bytes, to: name)
      }
      let header = try #require(bytes.firstRange(of: Array("mdhd".utf8))?.lowerBound)
      bytes.replaceSubrange(header + 20..<header + 24, with: bigEndian(UInt32(480_000)))
      // An edit list would say which part of it counts.
      if let list = bytes.firstRange(of: Array("edts".utf8)) {
        bytes.replaceSubrange(list, with: Array("free".utf8))
      }
      return try scratch.write(bytes, to: name)
    }

    @Test(
      "sound that ends before its file says is a warning with both times",
      arguments: [("a.m4a", "aac"), ("be.mov", "pcm_s16be"), ("a.mka", "flac")])
    func isSaid(name: String, codec: String) async throws {
      let heard = try await fileWarnings(of: longStated(name), in: scratch)
      #expect(heard.map(\.node) == ["in"])
      let words = try #require(heard.first?.message)
      #expect(words.contains("the audio ends at 2.") && words.contains("the file says at 10.0 s"))
    }

    @Test("a copy of it is one, too")
    func copy() async throws {
      let heard = try await fileWarnings(of: longStated("a.m4a"), in: scratch, to: "copy.mp4")
      #expect(heard.count == 1)
    }

    @Test("not where the run wants no more")
    func limited() async throws {
      let path = try longStated("a.m4a")
      let copy = try await fileWarnings(of: path, in: scratch, to: "copy.mp4", #", "seconds": 1"#)
      #expect(copy == [])
      for cores in [1, 2] {
        let file = ReducedFile(input: path, settings: #", "endAt": 1"#, cores: cores)
        let report = try await file.pipeline(to: scratch.path("\(cores).dat")).run()
        #expect(report.warnings ?? [] == [])
      }
    }
  }
}

private func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  stride(from: Number.bitWidth - 8, through: 0, by: -8).map {
    UInt8(truncatingIfNeeded: number >> Number($0))
  }
}
