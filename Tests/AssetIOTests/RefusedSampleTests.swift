import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

/// Samples that a writer doesn't take: all is as if they had never been given.
@Suite(.inTurn) struct RefusedSampleTests {
  private let scratch: Scratch
  private let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
  private let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  init() throws { scratch = try Scratch() }

  private func frame(_ number: Int, at time: MediaTime? = nil) throws -> ReadySampleBuffer {
    var frame = try PaintedFrame.make(number, picture)
    if let time { frame.presentationTime = time }
    return ReadySampleBuffer(frame)
  }

  /// A frame of another size.
  private func oddFrame(at seconds: Double) throws -> ReadySampleBuffer {
    let format = VideoFormat(.i420, width: 32, height: 32, frameRate: Rational(25))
    var frame = try PaintedFrame.make(0, format)
    frame.presentationTime = .seconds(seconds)
    return ReadySampleBuffer(frame)
  }

  private func block(_ number: Int) throws -> ReadySampleBuffer {
    ReadySampleBuffer(
      try soundBlock(number, (0..<960).map { Int16(number % 100 * 100 + $0 % 50) }, sound))
  }

  @Test func oneThatWaitedTooLongMayBeGivenAgain() async throws {
    let path = scratch.path("a.mp4")
    var configuration = AssetWriter.Configuration()
    configuration.patience = .milliseconds(300)
    let writer = AssetWriter(path: path, configuration: configuration)
    let frames = try writer.inputReceiver(for: .video(picture))
    let blocks = try writer.inputReceiver(for: .audio(sound))
    try writer.start()
    try writer.startSession(at: .zero)
    var number = 0
    let error = await #expect(throws: NodeError.self) {
      while number < 2_000 {
        try await frames.append(try frame(number))
        number += 1
      }
    }
    #expect(error?.message.contains("waits for input 2") == true)
    #expect(throws: Never.self) { try frames.appendImmediately(try frame(number)) }
    async let sound: Void = {
      for block in 0..<200 { try await blocks.append(try self.block(block)) }
      blocks.finish()
    }()
    for next in number..<100 { try await frames.append(try frame(next)) }
    frames.finish()
    try await sound
    #expect(try await writer.finishWriting().unbalanced == [])
    #expect(try PaintedFrame.numbers(of: path) == Array(0..<100))
  }

  @Test(arguments: [true, false]) func wrongFormatsMoveNothing(isImmediate: Bool) async throws {
    let path = scratch.path("a.mp4")
    let (writer, frames) = try AssetWriter.started(path, .video(picture))
    for number in 0..<50 {
      if number == 3 {
        let odd = [try oddFrame(at: 40), try frame(0, at: .seconds(-1e10))]
        for odd in odd + [try frame(0, at: .seconds(250 * 365 * 86_400))] {
          await #expect(throws: NodeError.self) {
            if isImmediate {
              #expect(try !frames.appendImmediately(odd))
            } else {
              try await frames.append(odd)
            }
          }
        }
      }
      try await frames.append(try frame(number))
    }
    #expect(frames.omittedCount == 0)
    try await writer.finishWriting()
    #expect(try PaintedFrame.numbers(of: path) == Array(0..<50))
  }

  @Test func wrongFormatsBeforeTheSessionAreRefused() async throws {
    let path = scratch.path("a.mp4")
    let (writer, frames) = try AssetWriter.started(
      path, .video(picture), at: MediaTime(value: 1, timescale: 1))
    try await frames.append(try frame(10))
    let odd = try oddFrame(at: 0.9)
    await #expect(throws: NodeError.self) { try await frames.append(odd) }
    #expect(throws: NodeError.self) { try frames.appendImmediately(odd) }
    for number in 26..<50 { try await frames.append(try frame(number)) }
    try await writer.finishWriting()
    // The encoder may miss the brightness after a jump by one.
    let (found, wanted) = (try PaintedFrame.numbers(of: path), [10] + Array(26..<50))
    #expect(found.count == wanted.count, "\(found)")
    #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
  }

  @Test func whatIsFinishedTakesNothing() async throws {
    let writer = AssetWriter(path: scratch.path("a.mp4"))
    let frames = try writer.inputReceiver(for: .video(picture))
    try writer.start()
    try writer.startSession(at: .zero)
    try await frames.append(try frame(0))
    frames.finish()
    for number in 1...3 {
      let error = #expect(throws: NodeError.self) {
        try frames.appendImmediately(try frame(number))
      }
      #expect(error?.message.contains("is finished") == true)
    }
    try await writer.finishWriting()
  }
}
