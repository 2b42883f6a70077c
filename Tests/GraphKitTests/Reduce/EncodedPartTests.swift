import Foundation
import TestTools
import Testing

@testable import GraphKit

/// Packets of parts as one stream.
@Suite(.inTurn) struct EncodedPartTests {
  /// A part of frames from a time up to another, of which packets are presented and decoded.
  private func write(
    _ frames: Range<Int64>, _ times: [(Int64, Int64)], caps: String = "video/x-h264", track: Int = 0
  ) -> [UInt8] {
    var bytes = EncodedPart.beginning
    bytes += EncodedPart.Head(.piece, [frames.lowerBound, frames.upperBound]).bytes
    bytes += EncodedPart.Head(.format, track: track, byteCount: caps.utf8.count).bytes
    bytes += Array(caps.utf8)
    for (number, (presentation, decode)) in times.enumerated() {
      bytes +=
        EncodedPart.Head(
          number == 0 ? .keyPacket : .packet, track: track, byteCount: 1,
          [presentation, decode, 10]
        ).bytes
      bytes.append(UInt8(truncatingIfNeeded: presentation))
    }
    return bytes + EncodedPart.Head(.end, [Int64(times.count)]).bytes
  }

  private func read(_ parts: [[UInt8]], track: Int = 0) throws -> [[Int64]] {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "parts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var paths: [String] = []
    for (number, bytes) in parts.enumerated() {
      let file = folder.appending(path: "\(number).part")
      try Data(bytes).write(to: file)
      paths.append(file.path)
    }
    var reader = EncodedPartReader(paths, track: track)
    var found: [[Int64]] = []
    while let item = try reader.next() {
      guard case .packet(let head, let bytes) = item else { continue }
      #expect(bytes == [UInt8(truncatingIfNeeded: head.times[0])])
      found.append(Array(head.times.prefix(2)))
    }
    return found
  }

  private static let first: [(Int64, Int64)] = [(0, -20), (30, -10), (10, 0), (20, 10), (40, 20)]

  @Test func whatIsDecodedEarlyFollowsThePartBefore() throws {
    // Frames pause before 70: the encoder of that part begins 40 before it.
    let found = try read([
      write(.min..<45, Self.first), write(45 ..< .max, [(70, 30), (110, 50), (90, 70)]),
    ])
    #expect(
      found == [
        [0, -20], [30, -10], [10, 0], [20, 10], [40, 20], [70, 30], [110, 40], [90, 70],
      ])
  }

  @Test func partsWithoutFramesAreNoHole() throws {
    let empty =
      EncodedPart.beginning + EncodedPart.Head(.piece, [45, 60]).bytes
      + EncodedPart.Head(.end, [0]).bytes
    let found = try read([
      write(.min..<45, Self.first), empty, write(60 ..< .max, [(60, 60)]),
    ])
    #expect(found.count == 6)
    #expect(found.last == [60, 60])
  }

  @Test func anotherTrackIsLeftOut() throws {
    #expect(try read([write(.min ..< .max, Self.first, track: 1)]).isEmpty)
    #expect(try read([write(.min ..< .max, Self.first, track: 1)], track: 1).count == 5)
  }

  @Test func anotherConfigurationFails() throws {
    expect("of piece 2 of 2 has another configuration") {
      try read([
        write(.min..<45, Self.first),
        write(45 ..< .max, [(50, 50)], caps: "video/x-h264, codec_data=(buffer)01"),
      ])
    }
  }

  @Test func partsThatDoNotFollowFail() throws {
    expect("it doesn't follow the part before it") {
      try read([write(.min..<45, Self.first), write(50 ..< .max, [(50, 50)])])
    }
    expect("its frames are presented before those of the part before it") {
      try read([write(.min..<45, Self.first), write(45 ..< .max, [(40, 40)])])
    }
  }

  @Test(arguments: [1, 30, 49, 120])
  func aPartThatIsCutOffFails(count: Int) throws {
    expect("it ends before its time") {
      try read([Array(write(.min ..< .max, Self.first).dropLast(count))])
    }
  }

  @Test(arguments: [0, 1]) func aPacketThatIsLongerThanItsFileFails(track: Int) throws {
    let bytes =
      EncodedPart.beginning + EncodedPart.Head(.piece, [.min, .max]).bytes
      + EncodedPart.Head(.keyPacket, track: 0, byteCount: .max, [0, 0, 10]).bytes
    expect("it ends before its time") { try read([bytes], track: track) }
    let early =
      EncodedPart.beginning + EncodedPart.Head(.piece, [.min, .max]).bytes
      + EncodedPart.Head(.keyPacket, byteCount: 1, [0, -10, 10]).bytes
      + [0] + EncodedPart.Head(.packet, track: 1, byteCount: .max, [0, 0, 10]).bytes
    expect("it ends before its time") { try read([early], track: track) }
  }

  @Test func anotherFileFails() throws {
    expect("it isn't as graphctl writes it") { try read([Array("GraphKit part 1\n".utf8)]) }
  }

  private func expect(_ text: String, _ body: () throws -> [[Int64]]) {
    let error = #expect(throws: (any Error).self) { _ = try body() }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains(text), "\(message)")
  }
}
