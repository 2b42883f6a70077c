import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

/// What the node takes, and what it says of what it doesn't take.
@Suite(.inTurn) struct WaveformImageTests {
  private func image(_ path: String, _ change: (inout WaveformImage) -> Void = { _ in })
    -> WaveformImage
  {
    var image = WaveformImage()
    image.path = path
    change(&image)
    return image
  }

  @Test(arguments: [("a.png", "png"), ("A.PNG", "png"), ("a.svg", "svg"), ("-", "png")])
  func endingsChooseTheFormat(path: String, format: String) {
    #expect(image(path).fileFormat.rawValue == format && image(path).problem == nil)
    #expect(image(path) { $0.format = .svg }.fileFormat == .svg)
  }

  @Test func problemsNameTheirKey() {
    #expect(image("a.jpg").problem?.key == "path")
    #expect(image("a.jpg") { $0.format = .png }.problem == nil)
    for key in ["waveformColor", "backgroundColor", "borderColor", "axisLabelColor"] {
      for text in ["red", "fff", "12345", "1234567", "ff00zz", "ff0000,", "+f0000"] {
        let harness = NodeHarness(image("a.png"))
        #expect(harness.set(key, to: .string(text)))
        #expect(harness.node.problem?.key == key, "\(key) \(text)")
      }
    }
    #expect(image("a.png") { $0.waveformColor = "ff0000, 00ff0080" }.problem == nil)
    #expect(image("a.png") { $0.backgroundColor = "ff0000,00ff00" }.problem?.key != nil)
    #expect(image("a.png") { ($0.width, $0.scale) = (20_000, 2) }.problem?.key == "scale")
    #expect(image("a.png") { ($0.width, $0.height) = (20_000, 20_001) }.problem?.key == "height")
  }

  @Test func amplitudesAreNumbersOrAuto() {
    let harness = NodeHarness(image("a.png"))
    #expect(harness.set("amplitudeScale", to: .string("auto")))
    #expect(harness.node.amplitudeScale == nil)
    #expect(harness.set("amplitudeScale", to: .number(2.5)))
    #expect(harness.node.amplitudeScale == 2.5)
    for value in [JSONValue.string("loud"), .number(-1), .number(1001), .bool(true)] {
      #expect(!harness.set("amplitudeScale", to: value))
    }
  }

  @Test func theMachineIsAskedBeforeItRuns() throws {
    var there = image("a.png")
    let taken = FakeEnvironment(places: ["a.png": .file])
    #expect(throws: NodeError.self) { try there.resolve(in: taken) }
    there.overwrite = true
    #expect(try there.resolve(in: taken) == [])
    var without = FakeEnvironment()
    without.installed = ["pngenc"]
    let error = #expect(throws: NodeError.self) { try there.resolve(in: without) }
    #expect(error?.message.contains("`rsvgdec`") == true)
    var drawing = image("a.svg")
    #expect(try drawing.resolve(in: without) == [])
    var output = image("-")
    #expect(try output.resolve(in: FakeEnvironment(places: ["-": .blocked("no")])) == [])
  }

  @Test func aWaveformHasOneZoom() throws {
    let harness = NodeHarness(image("/nowhere/a.svg"))
    try harness.push(SampleBuffer(level(1, count: 3)))
    #expect(throws: NodeError.self) {
      try harness.push(SampleBuffer(level(1, count: 3, channels: 2)))
    }
    let error = #expect(throws: NodeError.self) { try harness.finish() }
    #expect(error?.message.hasPrefix("`/nowhere/a.svg` can't be written") == true)
  }

  @Test func valuesOfTheSchemesDiffer() throws {
    let backgrounds = try WaveformImage.ColorScheme.allCases.map { scheme in
      try image("a.png") { $0.colors = scheme }.resolvedColors().background.rgb
    }
    #expect(backgrounds == [0xFFFFFF, 0xD6D6D6, 0x003F22])
  }
}
