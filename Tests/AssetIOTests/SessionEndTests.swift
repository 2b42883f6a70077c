import AssetIO
import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// How long the movie of a session is that ends within a frame.
@Suite(.inTurn) struct SessionEndTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let borders = [(51, 200), (51, 201), (50, 203), (48, 203)]

  @Test(arguments: borders)
  func aSessionIsAsLongAsItSays(start: Int, end: Int) async throws {
    try await write(bFrames: 0, start, end)
  }

  @Test(arguments: borders)
  func framesOutOfOrderEndWithTheSession(start: Int, end: Int) async throws {
    try await write(bFrames: 2, start, end)
  }

  private func write(bFrames: Int, _ first: Int, _ last: Int) async throws {
    let path = scratch.path("session.mp4")
    let format = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))
    var encoder = H264Encoder()
    encoder.bFrames = bFrames
    let start = MediaTime(value: Int64(first), timescale: 100)
    let (writer, video) = try AssetWriter.started(path, .video(format, encoder), at: start)
    try writer.endSession(at: MediaTime(value: Int64(last), timescale: 100))
    for number in 0..<75 { try await video.append(try PaintedFrame.make(number, format)) }
    let report = try await writer.finishWriting()
    let length = Double(last - first) / 100
    #expect(abs((report.outputs.first?.contents?.duration ?? 0) - length) < 1e-4)
    #expect(abs(try await MediaAsset(path: path).duration.seconds - length) < 1e-4)
    let stated = try probe(path, "format=duration").first.flatMap { Double($0) } ?? 0
    #expect(abs(stated - length) < 0.001)
  }
}
