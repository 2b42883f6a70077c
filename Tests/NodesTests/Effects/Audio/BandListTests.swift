import GraphKit
import Nodes
import TestTools
import Testing

/// A parameter that is a list is checked item by item, each at its own place.
@Suite("lists of a node's parameters", .inTurn) struct BandListTests {
  private func complaints(_ bands: String) -> [String] {
    let json = """
      { "nodes": { "in": { "type": "testAudio", "seconds": 1 },
      "eq": { "type": "equalizer", "bands": \(bands) },
      "out": { "type": "nullSink" } }, "wires": ["in -> eq -> out"] }
      """
    do {
      _ = try plan(json)
      return []
    } catch let error as GraphErrors {
      return error.diagnostics.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0) \($0)" }
    } catch { return ["\(error)"] }
  }

  @Test("takes what is right")
  func right() {
    #expect(complaints("[]") == [])
    #expect(complaints(#"[{ "type": "peak", "frequency": 100, "gain": -3 }]"#) == [])
  }

  @Test(
    "says what is wrong, and where",
    arguments: [
      (#"{}"#, "2:39", "`bands` is an object"),
      (#"[3]"#, "2:40", "`bands[0]` is a number"),
      (#"[{ "type": "peak" }]"#, "2:40", "needs `frequency`"),
      (#"[{ "type": "peek", "frequency": 9 }]"#, "2:50", "did you mean `peak`?"),
      (#"[{ "type": "peak", "frequency": "a" }]"#, "2:71", "`bands[0].frequency` is text"),
      (#"[{ "type": "peak", "frequency": 9, "gain": 90 }]"#, "2:82", "`bands[0].gain` is 90 dB"),
      (#"[{ "type": "peak", "frequency": 9, "gian": 1 }]"#, "2:82", "did you mean `gain`?"),
    ])
  func wrong(bands: String, place: String, words: String) {
    let found = complaints(bands)
    #expect(found.count == 1 && found[0].hasPrefix(place + " "), "\(found)")
    #expect(found.first?.contains(words) == true, "\(found)")
  }

  @Test("takes no more than its limit")
  func limit() {
    let band = #"{ "type": "peak", "frequency": 100 }"#
    let found = complaints("[" + Array(repeating: band, count: 33).joined(separator: ",") + "]")
    #expect(found.count == 1 && found[0].contains("at most 32"), "\(found)")
  }

  @Test("a band is written as it is read")
  func roundTrip() {
    for shape in EqualizerBand.Shape.allCases {
      let band = EqualizerBand(shape, frequency: 440, gain: -3, q: 2)
      #expect(EqualizerBand(json: band.json) == band)
    }
    #expect(EqualizerBand(json: .object(["type": .string("peak")])) == nil)
  }
}
