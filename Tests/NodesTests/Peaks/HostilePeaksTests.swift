import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

/// Files that are no data files, though they look like some: each is refused in words.
@Suite(.inTurn) struct HostilePeaksTests {
  private func refusal(of bytes: some Collection<UInt8>) throws -> NodeError {
    let error = #expect(throws: NodeError.self) { try Points.read(bytes) }
    let found = try #require(error)
    #expect(found.key == "path" && found.remedy.contains("peaksSink"), "\(found)")
    return found
  }

  private func json(_ replaced: String, _ replacement: String) throws -> NodeError {
    let text = String(decoding: try Points.written(Points.mono, name: "a.json"), as: UTF8.self)
    try #require(text.contains(replaced))
    return try refusal(of: Array(text.replacing(replaced, with: replacement).utf8))
  }

  @Test(arguments: ["a.dat", "a.json"])
  func everyTruncation(_ name: String) throws {
    for peaks in [Points.mono, Points.stereo] {
      let bytes = try Points.written(peaks, name: name)
      // Without its line's end JSON is whole.
      let ends = name == "a.json" ? 0..<bytes.count - 1 : 0..<bytes.count
      for end in ends { _ = try refusal(of: bytes[..<end]) }
      _ = try refusal(of: bytes + [0x30])
    }
  }

  @Test func everyByteChanged() throws {
    for name in ["a.dat", "a.json"] {
      let bytes = try Points.written(Points.stereo, name: name)
      for index in bytes.indices {
        for change: UInt8 in [0x01, 0x80, 0xFF] {
          var changed = bytes
          changed[index] ^= change
          // Some changes make another right file; none may make a crash.
          do { #expect(try Points.read(changed).values.count == 8) } catch is NodeError {}
        }
      }
    }
  }

  @Test func randomBytes() throws {
    var random = SeededNumbers(state: 7)
    for round in 0..<300 {
      var bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if round % 3 == 0 { bytes = [2, 0, 0, 0] + bytes }
      if round % 3 == 1 { bytes = Array("{\"data\":[".utf8) + bytes }
      _ = try refusal(of: bytes)
    }
  }

  @Test(arguments: 0..<6)
  func absurdHeaderFields(_ field: Int) throws {
    let bytes = try Points.written(Points.stereo)
    for value: UInt32 in [0, 3, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] {
      // Flags of 0 and any rate and zoom above zero are right.
      if field == 1, value == 0 { continue }
      if field == 2 || field == 3, value > 0, value <= 0x7FFF_FFFF { continue }
      var changed = bytes
      for byte in 0..<4 { changed[field * 4 + byte] = UInt8(value >> (8 * byte) & 0xFF) }
      _ = try refusal(of: changed)
    }
  }

  @Test func whatIsWrongIsSaid() throws {
    #expect(try refusal(of: []).message.contains("is empty"))
    let bytes = try Points.written(Points.mono)
    #expect(
      try refusal(of: bytes.dropLast()).message.contains("31 bytes, but its header speaks of 32"))
    #expect(try refusal(of: bytes[..<10]).message.contains("ends at byte 10, within its header"))
    #expect(try refusal(of: [7, 9]).message.contains("has a byte 7 at byte 0, where `{`"))
  }

  @Test func wrongJSON() throws {
    #expect(try json("\"bits\":16", "\"bits\":12").message.contains("12 bits"))
    #expect(try json("\"bits\":16,", "").message.contains("has no `bits`"))
    #expect(try json("\"bits\":16", "\"bits\":8").message.contains("-32768, which has no 8 bits"))
    #expect(try json("\"length\":3", "\"length\":4").message.contains("4 points"))
    #expect(try json("\"length\":3", "\"length\":-3").message.contains("-3 points"))
    #expect(try json("\"length\":3", "\"length\":1099511627775").message.contains("points"))
    #expect(
      try json("\"length\":3", "\"length\":99999999999999").message.contains("shorter number"))
    #expect(try json("\"channels\":1", "\"channels\":0").message.contains("0 channels"))
    #expect(try json("\"channels\":1", "\"channels\":65").message.contains("65 channels"))
    #expect(try json("\"version\":2", "\"version\":3").message.contains("version 3"))
    #expect(try json("44100", "-1").message.contains("sampling rate of -1"))
    #expect(try json(":256", ":0").message.contains("samples a point of 0"))
    #expect(try json("\"bits\"", "\"bots\"").message.contains("unknown key, `bots`"))
    #expect(try json("\"length\":3", "\"bits\":3").message.contains("`bits` twice"))
    #expect(try json("\"length\":3", "\"length\":\"3\"").message.contains("a whole number"))
  }

  @Test(arguments: ["2.0", "2e0", "02", "+2", "32768", "null", "[2]", "", "2,", "-", "--2", "2 2"])
  func valuesThatAreNoWholeNumbers(_ value: String) throws {
    _ = try json("-1,2,", "-1,\(value),")
  }

  @Test func keysThatNeverEnd() throws {
    _ = try refusal(of: Array("{\"".utf8) + Array(repeating: UInt8(ascii: "a"), count: 1 << 20))
    _ = try refusal(of: Array(repeating: UInt8(ascii: "["), count: 1 << 20))
    _ = try refusal(of: Array(repeating: UInt8(ascii: " "), count: 1 << 20))
  }
}
