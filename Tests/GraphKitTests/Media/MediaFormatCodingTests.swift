import Foundation
import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct MediaFormatCodingTests {
  @Test(arguments: MediaFormatSamples.all)
  func losesNothing(format: MediaFormat) throws {
    let data = try JSONEncoder().encode(format)
    #expect(try JSONDecoder().decode(MediaFormat.self, from: data) == format)
    let constraint = FormatConstraint(format)
    let again = try JSONDecoder().decode(
      FormatConstraint.self, from: JSONEncoder().encode(constraint))
    #expect(again == constraint)
  }

  @Test func writesFlatFields() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let format = MediaFormat.video(
      VideoFormat(.i420, width: 4, height: 2, frameRate: Rational(30_000, over: 1001)))
    #expect(
      String(decoding: try encoder.encode(format), as: UTF8.self)
        == #"{"colorimetry":"","frameRate":"30000/1001","height":2,"kind":"video","#
        + #""pixelFormat":"i420","width":4}"#)
  }
}
