import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct PeaksSourceTests {
  @Test(arguments: ["a.dat", "a.json"], [1, 2, 5])
  func whatWasWrittenComesBack(_ name: String, _ channels: Int) throws {
    let all = Points.random(40_000, samplesPerPixel: 7, channels: channels)
    #expect(try Points.read(Points.written(all, name: name)) == all)
  }

  @Test(arguments: ["a.dat", "a.json"])
  func eightBitsComeBackAsMultiplesOf256(_ name: String) throws {
    let bytes = try Points.written(Points.mono, name: name) { $0.bits = 8 }
    let read = try Points.read(bytes)
    #expect(read.values == [0, 0, -32_768, 32_512, -256, 256])
    #expect(try Points.written(read, name: name) { $0.bits = 8 } == bytes)
  }

  @Test func oneChannelOfVersionTwoComesBack() throws {
    let bytes = try Points.written(Points.mono) { $0.datVersion = 2 }
    #expect(try Points.read(bytes) == Points.mono)
  }

  @Test(arguments: ["a.dat", "a.json"])
  func noPointsComeBackAsNone(_ name: String) throws {
    let none = Peaks(Points.mono.format)
    #expect(try Points.read(Points.written(none, name: name)) == none)
  }

  @Test func samplesHaveTheirTimes() throws {
    let folder = try TestFolder()
    let all = Points.random(40_000)
    var source = PeaksSource()
    source.path = try folder.write(try Points.written(all), to: "a.dat")
    let harness = NodeHarness(source)
    try harness.run()
    let samples = try harness.samples()
    #expect(samples.count == 3)
    let time = MediaTime(value: 16_384 * 256, timescale: 44_100)
    #expect(abs((samples[1].presentationTime - time).seconds) < 1e-8)
    #expect(try harness.formats() == [.peaks(all.format)])
  }

  @Test func jsonMayHaveSpacesAndAnotherOrder() throws {
    let text = """
      { "data" : [ -65, 63, -66,64,-40,41 , -39, 45, -55,43,-55,44 ],\t"length":3, "bits":8,
        "samples_per_pixel":512, "sample_rate":48000, "channels":2, "version":2 }
      """
    let peaks = try Points.read(Array(text.utf8))
    #expect(peaks.format == PeaksFormat(sampleRate: 48_000, samplesPerPixel: 512, channels: 2))
    #expect(peaks.low(0) == -65 * 256 && peaks.high(2, channel: 1) == 44 * 256)
  }

  @Test func jsonOfVersionOneMayLeaveChannelsOut() throws {
    let text = """
      {"version":1,"sample_rate":8000,"samples_per_pixel":2,"bits":16,"length":1,"data":[-7,7]}
      """
    #expect(try Points.read(Array(text.utf8)).values == [-7, 7])
  }

  @Test func filesThatArentThereAreFoundByTheCheck() throws {
    let folder = try TestFolder()
    for path in [folder.path("none.dat"), folder.folder, "/dev/zero", ""] {
      var source = PeaksSource()
      source.path = path
      let error = #expect(throws: NodeError.self) { try source.resolve(in: FakeEnvironment()) }
      #expect(error?.key == "path")
    }
  }

  @Test func aFileThatShrinksWhileItIsReadIsAnError() throws {
    let folder = try TestFolder()
    var source = PeaksSource()
    source.path = try folder.write(try Points.written(Points.random(40_000)), to: "a.dat")
    _ = try source.resolve(in: FakeEnvironment())
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: source.path))
    try file.truncate(atOffset: 100_000)
    let harness = NodeHarness(source)
    let error = #expect(throws: NodeError.self) { try harness.run() }
    #expect(error?.message.contains("shorter") == true)
  }
}
