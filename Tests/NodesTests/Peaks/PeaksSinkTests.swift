import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct PeaksSinkTests {
  private func sink(_ path: String, _ configure: (inout PeaksSink) -> Void = { _ in }) -> PeaksSink
  {
    var sink = PeaksSink()
    sink.path = path
    configure(&sink)
    return sink
  }

  @Test(arguments: ["a.dat", "a.json", "dir.x/b.CSV"])
  func namesTellTheFormat(_ path: String) { #expect(sink(path).problem == nil) }

  @Test(arguments: ["a.png", "points", "dir.dat/points", "-", "a."])
  func otherNamesAreProblems(_ path: String) {
    #expect(sink(path).problem?.key == "path")
    #expect(sink(path) { $0.format = .dat }.problem == nil)
  }

  @Test func parametersThatDontFitAreProblems() {
    #expect(sink("a.dat") { $0.bits = 12 }.problem?.key == "bits")
    #expect(sink("a.json") { $0.datVersion = 2 }.problem?.key == "datVersion")
    #expect(sink("a.dat") { $0.datVersion = 1 }.problem == nil)
  }

  @Test func onlyStandardOutputIsStandardOutput() {
    #expect(sink("-").traits.writesStandardOutput)
    #expect(!sink("./-").traits.writesStandardOutput)
  }

  @Test func filesAreNotOverwrittenUnasked() throws {
    let environment = FakeEnvironment(places: ["a.dat": .file, "b.dat": .blocked("no")])
    var free = sink("-")
    #expect(try free.resolve(in: environment) == [])
    var taken = sink("a.dat")
    #expect(throws: NodeError.self) { try taken.resolve(in: environment) }
    taken.overwrite = true
    #expect(try taken.resolve(in: environment) == [])
    var blocked = sink("b.dat") { $0.overwrite = true }
    #expect(throws: NodeError.self) { try blocked.resolve(in: environment) }
  }

  @Test(arguments: ["a.dat", "a.json", "a.csv"])
  func samplesArePutTogether(_ name: String) throws {
    let all = Points.random(100_000, channels: 2)
    let whole = try Points.written(all, name: name)
    let parts = try Points.written(
      all[0..<1], all[1..<30_000], all[30_000..<30_000], all[30_000..<100_000], name: name)
    #expect(whole == parts)
    #expect(whole.count > 200_000)
  }

  @Test func whatIsThereStaysUntilTheNewFileIsWhole() throws {
    let folder = try TestFolder()
    let path = try folder.write(Array("old".utf8), to: "a.dat")
    let harness = NodeHarness(sink(path) { $0.overwrite = true })
    try harness.push(SampleBuffer(Points.mono))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    try harness.finish()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 32)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder) == ["a.dat"])
  }

  @Test func aFullDiskIsAnError() throws {
    let harness = NodeHarness(sink("/dev/full") { $0.format = .json })
    try harness.push(SampleBuffer(Points.mono))
    let error = #expect(throws: NodeError.self) { try harness.finish() }
    #expect(error?.message.contains("No space left on device") == true)
    #expect(error?.remedy.contains("make room") == true)
  }

  @Test func aFolderThatIsGoneIsAnError() throws {
    let harness = NodeHarness(sink("/nowhere/a.dat"))
    try harness.push(SampleBuffer(Points.mono))
    let error = #expect(throws: NodeError.self) { try harness.finish() }
    #expect(error?.key == "path")
  }

  @Test func nothingAtAllIsAnError() throws {
    let folder = try TestFolder()
    let harness = NodeHarness(sink(folder.path("a.dat")))
    let error = #expect(throws: NodeError.self) { try harness.finish() }
    #expect(error?.message.contains("nothing came") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder) == [])
  }

  @Test func otherMediaAreRefused() throws {
    let harness = NodeHarness(sink("a.dat"))
    let format = AudioFormat(.s16, sampleRate: 8_000, channels: 1)
    let error = #expect(throws: NodeError.self) { try harness.push([0] as [Int16], format: format) }
    #expect(error?.remedy.contains("waveform") == true)
  }
}
