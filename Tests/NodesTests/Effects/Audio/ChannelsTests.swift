import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("channels", .inTurn) struct ChannelsTests {
  private let stereo = AudioFormat(.f32, sampleRate: 48_000, channels: 2)

  private func output(
    of levels: [Float], _ channels: Int = 2, layout: ChannelLayout = .interleaved,
    _ change: (inout Channels) -> Void
  ) throws -> [Float] {
    var node = Channels()
    change(&node)
    let format = AudioFormat(.f32, sampleRate: 48_000, channels: channels, layout: layout)
    return try outputOfEveryCut(of: levels, format: format) { node }
  }

  @Test func takesChannelsInAnyOrder() throws {
    let levels: [Float] = [0.1, 0.2, 0.3, 0.4]
    #expect(try output(of: levels) { $0.take = [2, 1] } == [0.2, 0.1, 0.4, 0.3])
    #expect(try output(of: levels) { $0.take = [2] } == [0.2, 0.4])
    #expect(try output(of: levels) { $0.take = [1, 1, 2] } == [0.1, 0.1, 0.2, 0.3, 0.3, 0.4])
    #expect(try output(of: levels) { _ in } == levels)
    let planar = try output(of: levels, layout: .planar) { $0.take = [2, 1] }
    #expect(planar == [0.2, 0.1, 0.4, 0.3])
  }

  @Test func mixesByAMatrix() throws {
    let levels: [Float] = [0.5, 0.25, -0.5, 1]
    #expect(try output(of: levels) { $0.matrix = [MatrixRow([0.5, 0.5])] } == [0.375, 0.25])
    let both = [MatrixRow([1, -1]), MatrixRow([0, 2]), MatrixRow([0, 0])]
    #expect(try output(of: levels) { $0.matrix = both } == [0.25, 0.5, 0, -1.5, 2, 0])
  }

  @Test func wholeNumbersStopAtTheEndsOfTheScale() throws {
    var node = Channels()
    node.matrix = [MatrixRow([2])]
    let format = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
    let out = try outputOfEveryCut(of: [100, 20_000, -20_000] as [Int16], format: format) { node }
    #expect(out == [200, 32_767, -32_768])
  }

  @Test func announcesWhatLeavesAndKeepsTimes() throws {
    var node = Channels()
    node.take = [1]
    let harness = NodeHarness(node)
    let description = try FormatDescription(.audio(stereo))
    try harness.push(SampleBuffer(pcm: [1, 2] as [Float], format: description, start: 480))
    #expect(
      try harness.formats() == [.audio(AudioFormat(.f32, sampleRate: 48_000, channels: 1))])
    #expect(try harness.samples().first?.presentationTime.frames(at: 48_000) == 480)
  }

  @Test func whatDoesNotFitIsAProblem() {
    var node = Channels()
    node.take = [1, 3]
    let two = ["in": FormatConstraint.audio(channels: [2])]
    #expect(
      node.problem(formats: two)?.message == "channel 3 is asked for, and stereo enters")
    node.matrix = [MatrixRow([1])]
    #expect(node.problem?.key == "matrix")
    node.take = []
    #expect(node.problem == nil && node.problem(formats: two)?.remedy == "give each row 2")
    node.matrix = [MatrixRow([1, 0]), MatrixRow([1])]
    #expect(node.problem?.message == "the rows of `matrix` have 1 or 2 factors")
    (node.matrix, node.take) = ([], [1.5])
    #expect(node.problem?.key == "take")
  }
}
