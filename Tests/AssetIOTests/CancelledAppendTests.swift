import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

/// Samples whose append was cancelled while it waited for its turn.
@Suite(.inTurn) struct CancelledAppendTests {
  private let scratch: Scratch
  private let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)

  init() throws { scratch = try Scratch() }

  /// A block of 20 ms: a ramp that goes on from block to block.
  private func block(_ number: Int) throws -> ReadySampleBuffer {
    ReadySampleBuffer(try soundBlock(number, values(number), sound))
  }

  private func values(_ number: Int) -> [Int16] {
    (0..<960).map { Int16(truncatingIfNeeded: (number * 960 + $0) % 20_000) }
  }

  @Test(
    "are in the movie where they are given again, and else aren't",
    arguments: [true, false])
  func mayBeGivenAgain(isGivenAgain: Bool) async throws {
    let path = scratch.path("a.mov")
    let writer = AssetWriter(path: path)
    let first = try writer.inputReceiver(for: .pcm(sound))
    let second = try writer.inputReceiver(for: .pcm(sound))
    try writer.start()
    try writer.startSession(at: .zero)
    // The other has nothing yet: this one waits for it.
    var count = 0
    while try first.appendImmediately(try block(count)) { count += 1 }
    let waiting = try block(count)
    let append = Task { try await first.append(waiting) }
    append.cancel()
    await #expect(throws: CancellationError.self) { try await append.value }
    async let other: Void = {
      for number in 0..<100 { try await second.append(try block(number)) }
      second.finish()
    }()
    for number in (isGivenAgain ? count : count + 1)..<100 {
      try await first.append(try block(number))
    }
    first.finish()
    try await other
    #expect(try await writer.finishWriting().unbalanced == [])
    _ = try run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:0", scratch.path("a.wav")])
    let kept = (0..<100).filter { isGivenAgain || $0 != count }
    #expect(try PCM.Wave(scratch.path("a.wav")).samples == kept.flatMap(values))
  }
}
