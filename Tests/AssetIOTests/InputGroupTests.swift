import AssetIO
import GraphKit
import TestTools
import Testing

/// Inputs of a writer whose tracks exclude each other.
@Suite(.inTurn) struct InputGroupTests {
  let scratch: Scratch
  private let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)

  init() throws { scratch = try Scratch() }

  private func blocks(of value: Int16) throws -> [ReadySampleBuffer] {
    try (0..<50).map { number in
      ReadySampleBuffer(try soundBlock(number, [Int16](repeating: value, count: 960), sound))
    }
  }

  @Test func theDefaultOfAGroupIsEnabledAlone() async throws {
    let path = scratch.path("a.m4a")
    try await writeLanguages(
      german: try blocks(of: 1_000), english: try blocks(of: 2_000), sound, to: path)
    let found = try probe(path, "stream_disposition=default:stream_tags=language")
    #expect(found == ["0,deu", "1,eng"])
  }

  @Test func aGroupIsOfTheWritersOwnInputs() throws {
    let writer = AssetWriter(path: scratch.path("a.mp4"))
    let other = AssetWriter(path: scratch.path("b.mp4"))
    let inputs = try (0..<3).map { _ in try writer.inputReceiver(for: .audio(sound)) }
    let foreign = try other.inputReceiver(for: .audio(sound))
    let group = AssetWriterInputGroup(inputs: [inputs[0], foreign], defaultInput: nil)
    #expect(writer.reasonAgainst(group)?.contains("another writer") == true)
    let single = AssetWriterInputGroup(inputs: [inputs[0]], defaultInput: nil)
    #expect(writer.reasonAgainst(single)?.contains("one track") == true)
    let outside = AssetWriterInputGroup(inputs: [inputs[0], inputs[1]], defaultInput: inputs[2])
    #expect(writer.reasonAgainst(outside)?.contains("isn't in it") == true)
    let right = AssetWriterInputGroup(inputs: [inputs[0], inputs[1]], defaultInput: nil)
    #expect(writer.canAdd(right))
    try writer.add(right)
    let overlapping = AssetWriterInputGroup(inputs: [inputs[1], inputs[2]], defaultInput: nil)
    #expect(writer.reasonAgainst(overlapping)?.contains("twice") == true)
    #expect(throws: (any Error).self) { try writer.add(overlapping) }
  }

  @Test func segmentsHaveNoGroups() throws {
    let writer = AssetWriter(segmentInterval: nil) { _ in }
    let inputs = try (0..<2).map { _ in try writer.inputReceiver(for: .audio(sound)) }
    let group = AssetWriterInputGroup(inputs: inputs, defaultInput: nil)
    #expect(writer.reasonAgainst(group)?.contains("segments") == true)
  }
}
