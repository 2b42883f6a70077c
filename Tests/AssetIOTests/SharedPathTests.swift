import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

/// Files of others at a writer's path.
@Suite(.inTurn) struct SharedPathTests {
  private let scratch: Scratch
  private let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  init() throws { scratch = try Scratch() }

  private func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  /// Puts a file of another program where one is.
  private func replace(_ path: String) throws {
    try Data("other".utf8).write(to: URL(fileURLWithPath: scratch.path("other")))
    let result = unsafe rename(scratch.path("other"), path)
    #expect(result == 0)
  }

  private func append(_ count: Int, to frames: SampleReceiver) async throws {
    for number in 0..<count { try await frames.append(PaintedFrame.make(number, picture)) }
  }

  @Test func theSecondWriterOfAFileIsRefusedAtOnce() async throws {
    let path = scratch.path("a.mp4")
    let first = AssetWriter(path: path)
    let second = AssetWriter(path: path) { $0.overwrite = true }
    let frames = try first.inputReceiver(for: .video(picture))
    let others = try second.inputReceiver(for: .video(picture))
    try first.start()
    try first.startSession(at: .zero)
    let error = #expect(throws: NodeError.self) { try second.start() }
    #expect(error?.message.contains("another run writes it") == true)
    #expect(error?.message.contains(path) == true)
    #expect(second.status == .unknown)
    try await append(75, to: frames)
    try await first.finishWriting()
    // Then there is nothing against it.
    try second.start()
    try second.startSession(at: .zero)
    await second.cancelWriting()
    #expect(second.status == .cancelled)
    #expect(try PaintedFrame.numbers(of: path) == Array(0..<75))
    withExtendedLifetime(others) {}
  }

  @Test func aFileThatIsThereIsSaidAtTheStart() throws {
    let path = scratch.path("a.mp4")
    let writer = AssetWriter(path: path)
    _ = try writer.inputReceiver(for: .video(picture))
    try replace(path)
    let error = #expect(throws: (any Error).self) { try writer.start() }
    #expect("\(error as Any)".contains("is there already"))
    #expect(text(path) == "other")
    let nowhere = AssetWriter(path: scratch.path("no folder/a.mp4"))
    #expect(throws: (any Error).self) {
      _ = try nowhere.inputReceiver(for: .video(picture))
      try nowhere.start()
    }
  }

  @Test(arguments: [0, 100]) func cancellingLeavesTheFileOfAnother(count: Int) async throws {
    let path = scratch.path("a.mp4")
    let (writer, frames) = try AssetWriter.started(path, .video(picture))
    try await append(count, to: frames)
    try replace(path)
    await writer.cancelWriting()
    #expect(text(path) == "other")
  }

  @Test func aRecorderOfNothingLeavesTheFileOfAnother() async throws {
    let path = scratch.path("a.mp4")
    let recorder = try MovieRecorder(path: path)
    let frames = try recorder.input(for: .video(picture))
    try recorder.prepare()
    try frames.append(PaintedFrame.make(0, picture))
    try replace(path)
    await #expect(throws: NodeError.self) { try await recorder.finish() }
    #expect(text(path) == "other")
  }
}
