import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

/// Pauses that become shorter, beside ffmpeg's `silenceremove`.
@Suite(.inTurn) struct ShortenSilenceTests {
  private let mono = AudioFormat(.f32, sampleRate: 1_000, channels: 1)

  private func node(_ over: Double, _ to: Double) -> ShortenSilence {
    ShortenSilence.with { ($0.over, $0.to) = (over, to) }
  }

  /// Numbered samples, so that each can be told from the others, with silence at some places.
  private func values(_ count: Int, silent: Range<Int>...) -> [Float] {
    (0..<count).map { frame in
      silent.contains { $0.contains(frame) } ? 0 : Float(frame + 1) / Float(2 * count) + 0.1
    }
  }

  @Test("of a silence both ends stay, however the audio is cut; a shorter one stays whole")
  func samples() throws {
    let input = values(1_000, silent: 0..<200, 300..<400, 500..<700, 900..<1_000)
    func part(_ range: Range<Int>) -> [Float] { Array(input[range]) }
    let quiet = [Float](repeating: 0, count: 60)
    // The last silence is shorter than what counts.
    let wanted = quiet + part(200..<500) + quiet + part(700..<1_000)
    for length in [1, 7, 64, 1_000] {
      let harness = NodeHarness(node(0.15, 0.06), inputs: ["audio"])
      for start in stride(from: 0, to: input.count, by: length) {
        let block = Array(input[start..<min(start + length, input.count)])
        try harness.push(block, format: mono, to: "audio")
      }
      try harness.finish()
      #expect(try harness.values(as: Float.self, of: "audio") == wanted, "\(length)")
    }
  }

  private func frame(_ number: Int) throws -> SampleBuffer {
    try RawPicture.plain(.i420, 4, 4, [UInt8(number), 128, 128]).sample(at: Double(number) * 0.04)
  }

  @Test("frames that are left out are as long as the samples, and the others keep their rate")
  func frames() throws {
    var cutter = SilenceCutter(
      sampleRate: 1_000, channels: 1, threshold: 0.05, over: 0.2, to: 0.1, grid: (25, 1))
    var cut = FrameCutter(grid: (25, 1), isVariable: false)
    // Frames come before it is known which of them stay.
    for number in 0..<50 { cut.add(HeldFrame(try frame(number))) }
    let input = values(2_000, silent: 410..<1_190)
    var (audio, shown): ([Float], [HeldFrame]) = ([], [])
    for start in stride(from: 0, to: 2_000, by: 250) {
      audio += cutter.add(Array(input[start..<start + 250]))
      shown += cut.take(decidedBy: cutter)
    }
    audio += cutter.finish()
    shown += cut.take(decidedBy: cutter)
    // 680 ms can go: 17 frames, from the first that begins after 460 ms on.
    #expect(audio == Array(input[0..<460] + input[1_140..<2_000]))
    let numbers = shown.map { $0.sample.withPlane(0) { plane, _ in Int(plane[0]) } }
    #expect(numbers == Array(0..<12) + Array(29..<50))
    let milliseconds = shown.map { Int(($0.time.seconds * 1000).rounded()) }
    #expect(milliseconds == (0..<33).map { $0 * 40 })
  }

  @Test("without a frame rate the frame that is shown at the end of a cut is shown again")
  func variable() throws {
    let harness = NodeHarness(node(0.2, 0.1), inputs: ["audio", "video"])
    for number in 0..<50 { try harness.push(frame(number), to: "video") }
    try harness.push(values(2_000, silent: 410..<1_190), format: mono, to: "audio")
    try harness.finish()
    let samples = try harness.samples(of: "video")
    #expect(
      try samples.map { Int(try #require(RawPicture($0)).planes[0][0][0]) }
        == Array(0..<12) + Array(28..<50))
    let times = samples.map { ($0.presentationTime.seconds * 1000).rounded() }
    let starts: [Int] = Array(0..<12).map { $0 * 40 } + [460] + Array(12..<33).map { $0 * 40 }
    #expect(times.map { Int($0) } == starts)
  }

  @Test("a long silence holds nothing but its end")
  func memory() {
    var cutter = SilenceCutter(
      sampleRate: 1_000, channels: 1, threshold: 0.1, over: 0.5, to: 0.2,
      grid: (steps: 30_000, scale: 1_001))
    var sent = 0
    for _ in 0..<3_600 {
      sent += cutter.add([Float](repeating: 0, count: 1_000)).count
      #expect(cutter.decided > 0)
    }
    #expect(sent == 100)
    sent += cutter.finish().count
    // What stays is at most a frame more than was asked for.
    #expect((200...234).contains(sent), "\(sent)")
    #expect(cutter.cuts.count == 1 && cutter.decided == .max)
  }

  @Test("a silence that is to last longer is refused")
  func refused() {
    #expect(node(0.5, 0.6).problem?.key == "to")
    #expect(node(0.5, 0.5).problem == nil)
  }

  @Test("audio is as long as ffmpeg's silenceremove leaves it")
  func beside() async throws {
    let folder = try TestFolder()
    let (input, ours) = (folder.path("in.wav"), folder.path("ours.wav"))
    try ffmpeg(
      "-f lavfi -i aevalsrc=if(between(mod(t\\,2)\\,0.5\\,1.4)\\,0\\,0.3)*sin(2*PI*440*t)"
        + ":s=48000:d=6", to: input)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" },
          "s": { "type": "shortenSilence", "over": 0.5, "to": 0.2 },
          "out": { "type": "wavSink", "path": "\(ours)" } },
        "wires": ["in -> s.audio", "s.audio -> out"] }
      """)
    #expect(try await run.run().unbalanced == [])
    let filter =
      "silenceremove=stop_periods=-1:stop_duration=0.5:stop_threshold=-50dB:stop_silence=0.2"
      + ":detection=peak:window=0"
    let theirs = try tool(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", input, "-af", filter, "-f", "s16le", "-"])
    let count = try decodedSound(of: ours).count
    // ffmpeg looks for the end of silence a packet at a time.
    #expect(abs(count - theirs.count / 2) < 1_440, "\(count) \(theirs.count / 2)")
    // Three pauses of 0.9 s have become three of 0.2 s, but for some samples around zero.
    #expect(abs(count - 48_000 * 39 / 10) < 480, "\(count)")
  }

  @Test("in a movie flashes and beeps stay together, and the tracks end together")
  func movie() async throws {
    let folder = try TestFolder()
    let (input, output) = (folder.path("in.mp4"), folder.path("out.mp4"))
    let isOn = "between(mod(t\\,2)\\,0\\,0.4)"
    try ffmpeg(
      "-f lavfi -i color=black:s=64x48:r=30000/1001:d=8,drawbox=c=white:t=fill:enable='\(isOn)'",
      "-f lavfi -i aevalsrc=\(isOn)*0.5*sin(6000*t):s=48000:d=8 -c:v libx264 -pix_fmt yuv420p",
      "-c:a aac -shortest", to: input)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" },
          "s": { "type": "shortenSilence", "over": 0.6, "to": 0.3, "threshold": -40 },
          "v": { "type": "h264Encoder" }, "a": { "type": "aacEncoder" },
          "out": { "type": "mp4Sink", "path": "\(output)" } },
        "wires": ["in.video -> s.video", "in.audio -> s.audio", "s.video -> v -> out.video",
          "s.audio -> a -> out.audio"] }
      """)
    #expect(try await run.run().unbalanced == [])
    let gray = [UInt8](
      try tool(
        "ffmpeg",
        [
          "-v", "error", "-i", output, "-vf", "scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo",
          "-",
        ]))
    let flashes = gray.indices.filter { gray[$0] > 100 && ($0 == 0 || gray[$0 - 1] <= 100) }
      .map { Double($0) * 1_001 / 30_000 }
    let levels = try decodedSound(of: output).map { abs(Int($0)) }
    var beeps: [Double] = []
    var quiet = 48_000
    for (index, level) in levels.enumerated() {
      if level > 2_000, quiet > 4_800 { beeps.append(Double(index) / 48_000) }
      quiet = level > 2_000 ? 0 : quiet + 1
    }
    #expect(flashes.count == 4 && beeps.count == 4, "\(flashes) \(beeps)")
    for (flash, beep) in zip(flashes, beeps) { #expect(abs(flash - beep) < 0.035) }
    let streams = try probe(output)
    #expect(abs(streams[0].end - streams[1].end) < 0.04, "\(streams)")
    #expect(abs(streams[0].end - 2.9) < 0.25, "\(streams)")
  }
}
