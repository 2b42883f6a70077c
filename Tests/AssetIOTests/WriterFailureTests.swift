import AssetIO
import Dispatch
import Foundation
import GraphKit
import GraphKitSystem
import TestTools
import Testing

/// What a writer says once its run has failed.
@Suite(.inTurn) struct WriterFailureTests {
  private struct Refusal: Error, Equatable {}

  private let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  /// A writer of segments that nobody wants, and its input.
  private func started() throws -> (writer: AssetWriter, frames: SampleReceiver) {
    let writer = AssetWriter(segmentInterval: MediaTime(value: 1, timescale: 5)) { _ in
      throw Refusal()
    }
    let frames = try writer.inputReceiver(for: .video(picture))
    try writer.start()
    try writer.startSession(at: .zero)
    return (writer, frames)
  }

  private func frame(_ number: Int) throws -> ReadySampleBuffer {
    ReadySampleBuffer(try PaintedFrame.make(number, picture))
  }

  /// Looks again and again whether something has come, for twenty seconds.
  private func comes(_ isThere: () throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while try !isThere() {
      guard ContinuousClock.now < deadline else { return false }
      await Task.yield()
    }
    return true
  }

  @Test func immediateAppendsThrowWhy() async throws {
    let (writer, frames) = try started()
    var (number, error) = (0, (any Error)?.none)
    let hasThrown = try await comes {
      do {
        if try frames.appendImmediately(try frame(number)) { number += 1 }
      } catch let caught { error = caught }
      return error != nil
    }
    #expect(hasThrown && error is Refusal, "\(error as Any)")
    #expect(writer.status == .failed && writer.error is Refusal)
    #expect(!frames.isReadyForMoreMediaData)
  }

  @Test func theStatusSaysSoByItself() async throws {
    let (writer, frames) = try started()
    _ = try await comes {
      _ = try? frames.appendImmediately(try frame(0))
      return true
    }
    var number = 1
    while number < 40, frames.isReadyForMoreMediaData {
      if try frames.appendImmediately(try frame(number)) { number += 1 }
    }
    frames.finish()
    #expect(try await comes { writer.status == .failed })
    #expect(writer.error is Refusal, "\(writer.error as Any)")
    await #expect(throws: Refusal.self) { try await writer.finishWriting() }
  }

  @Test func whatWaitsForReadinessIsCalled() async throws {
    let (writer, frames) = try started()
    let (number, error) = (Monitor(0), Monitor<(any Error)?>(nil))
    try frames.requestMediaDataWhenReady(on: DispatchQueue(label: "frames")) {
      // As programs do that look whether it is ready before each sample alone.
      do {
        while try frames.appendImmediately(try frame(number.withLock { $0 })) {
          number.withLock { $0 += 1 }
        }
      } catch let caught { error.withLock { $0 = caught } }
    }
    #expect(try await comes { error.withLock { $0 } != nil })
    #expect(error.withLock { $0 } is Refusal)
    #expect(writer.status == .failed)
  }

  @Test func appendsThrowWhatTheProgramThrew() async throws {
    let (writer, frames) = try started()
    await #expect(throws: Refusal.self) {
      for number in 0..<5_000 { try await frames.append(try frame(number)) }
    }
    #expect(writer.error is Refusal)
  }
}
