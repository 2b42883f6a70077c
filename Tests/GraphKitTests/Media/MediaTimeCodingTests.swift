import Foundation
import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct MediaTimeCodingTests {
  @Test func writesTextThatLosesNothing() throws {
    var random = MediaRandom(seed: 9)
    var times: [MediaTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity, .zero]
    for _ in 0..<200 { times.append(random.time(bits: 64)) }
    times.append(MediaTime(value: 1, timescale: 3).converted(to: 10))
    let read = try JSONDecoder().decode([MediaTime].self, from: JSONEncoder().encode(times))
    #expect(read.map(\.debugDescription) == times.map(\.debugDescription))
    #expect(read.last?.hasBeenRounded == true)
  }

  @Test(arguments: ["", "1", "1/0", "1/-2", "1/2/3", "a/b", "~", "~invalid", "1/99999999999", "/"])
  func refusesWhatIsNoTime(text: String) throws {
    let data = try JSONEncoder().encode([text])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([MediaTime].self, from: data) }
  }

  @Test func rationalsAreWrittenAsGraphFilesWriteThem() throws {
    let rates = [Rational(30), Rational(30_000, over: 1001)!]
    let data = try JSONEncoder().encode(rates)
    #expect(String(decoding: data, as: UTF8.self) == #"[30,"30000\/1001"]"#)
    #expect(try JSONDecoder().decode([Rational].self, from: data) == rates)
    #expect(try JSONDecoder().decode([Rational].self, from: Data("[4]".utf8)) == [Rational(4)])
    for text in ["1/0", "x", "1/2/3", "1/-1"] {
      let data = try JSONEncoder().encode([text])
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([Rational].self, from: data) }
    }
  }
}
