import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Ogg files of which pages end at times that they don't have.
  @Suite struct DamagedOggTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// A file whose pages of sound, or the last alone, end at a place, in samples.
    private func sound(_ codec: String, endingAt place: Int64, lastAlone: Bool) throws -> String {
      let path = scratch.path("a.ogg")
      try ffmpeg("-f lavfi -i sine=f=300:r=8000:d=0.5", "-c:a \(codec)", to: path)
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      var pages: [Range<Int>] = []
      while case let start = pages.last?.upperBound ?? 0, start + 27 <= bytes.count {
        let segments = Int(bytes[start + 26])
        let size = bytes[start + 27..<start + 27 + segments].reduce(27 + segments) { $0 + Int($1) }
        pages.append(start..<start + size)
      }
      for page in pages.dropFirst(lastAlone ? pages.count - 1 : 2) {
        let number = place.bitPatternBytes
        bytes.replaceSubrange(page.lowerBound + 6..<page.lowerBound + 14, with: number)
        bytes.replaceSubrange(page.lowerBound + 22..<page.lowerBound + 26, with: [0, 0, 0, 0])
        let sum = Self.checksum(bytes[page])
        bytes.replaceSubrange(
          page.lowerBound + 22..<page.lowerBound + 26, with: Int64(sum).bitPatternBytes.prefix(4))
      }
      return try scratch.write(bytes, to: "b.ogg")
    }

    /// The sum of a page (RFC 3533, 6).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
      bytes.reduce(UInt32(0)) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
          value << 1 ^ (value >> 31 == 1 ? 0x04c1_1db7 : 0)
        }
      }
    }

    private static let ends: [(place: Int64, lastAlone: Bool)] = [
      (0, false), (1 << 62, true), (.max - 5, true), (.min + 5, true), (1 << 40, true),
    ]

    @Test(
      "are read as far as they go, or refused",
      arguments: ["libvorbis", "flac", "libopus"],
      ends)
    func wrongEnd(codec: String, end: (place: Int64, lastAlone: Bool)) async throws {
      let path = try sound(codec, endingAt: end.place, lastAlone: end.lastAlone)
      do {
        let samples = try await ReducedFile(input: path, cores: 2).samples(in: scratch)
        #expect(samples.count < 100_000)
      } catch let error as RunError {
        #expect(!error.description.isEmpty)
      }
    }

    @Test("one whose end no stream reaches is a warning", arguments: ["libvorbis", "libopus"])
    func impossibleEnd(codec: String) async throws {
      let path = try sound(codec, endingAt: 1 << 62, lastAlone: true)
      let heard = try await fileWarnings(of: path, in: scratch)
      #expect(heard.contains { $0.node == "in" && $0.message.contains("`\(path)` is damaged") })
    }
  }
}

extension Int64 {
  /// Its bytes, the lowest first.
  fileprivate var bitPatternBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
