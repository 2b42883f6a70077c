import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

/// What stands in data files, byte for byte as their specification has it.
@Suite(.inTurn) struct PeaksFormatTests {
  @Test func oneChannelIsVersionOne() throws {
    #expect(
      try Points.written(Points.mono) == [
        1, 0, 0, 0, 0, 0, 0, 0, 0x44, 0xAC, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0,
        0xFF, 0xFF, 2, 0, 0, 0x80, 0xFF, 0x7F, 0xD4, 0xFE, 0xFF, 1,
      ])
  }

  @Test func severalChannelsAreVersionTwo() throws {
    #expect(
      try Points.written(Points.stereo) == [
        2, 0, 0, 0, 0, 0, 0, 0, 0x80, 0xBB, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0,
        0xFF, 0xFF, 1, 0, 0xFE, 0xFF, 2, 0, 0xFF, 0xFD, 0, 2, 0, 0xFF, 0xFF, 0,
      ])
  }

  @Test func eightBitsAreRoundedTowardsZero() throws {
    let mono = try Points.written(Points.mono) { $0.bits = 8 }
    #expect(mono[4] == 1 && mono[20...] == [0, 0, 0x80, 0x7F, 0xFF, 1])
    let stereo = try Points.written(Points.stereo) { $0.bits = 8 }
    #expect(stereo[4] == 1 && stereo[24...] == [0, 0, 0, 0, 0xFE, 2, 0xFF, 0])
  }

  @Test func oneChannelInVersionTwo() throws {
    let bytes = try Points.written(Points.mono) { $0.datVersion = 2 }
    #expect(bytes[..<4] == [2, 0, 0, 0] && bytes[20..<24] == [1, 0, 0, 0] && bytes.count == 36)
  }

  @Test func severalChannelsDontFitIntoVersionOne() throws {
    let error = #expect(throws: NodeError.self) {
      try Points.written(Points.stereo) { $0.datVersion = 1 }
    }
    #expect(error?.key == "datVersion" && error?.remedy.contains("mix") == true)
  }

  @Test func json() throws {
    let text = """
      {"version":2,"channels":1,"sample_rate":44100,"samples_per_pixel":256,"bits":16,"length":3,\
      "data":[-1,2,-32768,32767,-300,511]}

      """
    #expect(try Points.written(Points.mono, name: "a.json") == Array(text.utf8))
  }

  @Test func jsonOfTwoChannelsInEightBits() throws {
    let text = """
      {"version":2,"channels":2,"sample_rate":48000,"samples_per_pixel":64,"bits":8,"length":2,\
      "data":[0,0,0,0,-2,2,-1,0]}

      """
    #expect(try Points.written(Points.stereo, name: "a.JSON") { $0.bits = 8 } == Array(text.utf8))
  }

  @Test func csv() throws {
    let lines = "-1,1,-2,2\n-513,512,-256,255\n"
    #expect(try Points.written(Points.stereo, name: "a.csv") == Array(lines.utf8))
    let short = "0,0,0,0\n-2,2,-1,0\n"
    #expect(try Points.written(Points.stereo, name: "a.csv") { $0.bits = 8 } == Array(short.utf8))
  }

  @Test(arguments: [PeakReduction.peak, .rms, .mean])
  func csvOfMagnitudesHasOneValueAChannel(_ reduction: PeakReduction) throws {
    let format = PeaksFormat(
      sampleRate: 8_000, samplesPerPixel: 8, channels: 2, reduction: reduction)
    let peaks = Peaks(format, values: [-5, 5, -1_000, 1_000, 0, 0, -32_767, 32_767])
    #expect(try Points.written(peaks, name: "a.csv") == Array("5,1000\n0,32767\n".utf8))
  }

  @Test func aWaveformWithoutPoints() throws {
    let none = Peaks(Points.mono.format)
    #expect(try Points.written(none).count == 20)
    let json = String(decoding: try Points.written(none, name: "a.json"), as: UTF8.self)
    #expect(json.hasSuffix("\"length\":0,\"data\":[]}\n"))
    #expect(try Points.written(none, name: "a.csv").isEmpty)
  }

  @Test func theFormatMayBeGiven() throws {
    let bytes = try Points.written(Points.mono, name: "points") { $0.format = .csv }
    #expect(bytes == Array("-1,2\n-32768,32767\n-300,511\n".utf8))
  }
}
