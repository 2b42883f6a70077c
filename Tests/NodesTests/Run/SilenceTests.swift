import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// Silences and levels, as ffmpeg's `silencedetect` and `astats` measure them; and its pitch.
@Suite(.inTurn) struct SilenceTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  struct Found: Decodable {
    struct Stretch: Decodable { var start, end, duration: Double }
    var silences: [Stretch]
    var total: Double
    var duration: Double
  }

  struct Levels: Decodable {
    var time, duration: Double
    var peak, rms: [Double?]
  }

  private func measure(_ input: String, _ node: String) async throws -> [Data] {
    let output = scratch.path("found.json")
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, "m": { "type": \(node) },
          "out": { "type": "measurementSink", "path": "\(output)", "overwrite": true } },
        "wires": ["in.audio -> m -> out"] }
      """)
    let report = try await run.run()
    #expect(report.unbalanced == [] && report.warnings == nil)
    return try Data(contentsOf: URL(filePath: output)).split(separator: UInt8(ascii: "\n"))
  }

  private func log(_ input: String, _ filter: String) throws -> String {
    let words = ["-c", "ffmpeg -nostdin -hide_banner -i $1 -af $2 -f null - 2>&1", "sh"]
    return String(decoding: try tool("sh", words + [input, filter]), as: UTF8.self)
  }

  /// Speech with pauses, one of which lasts to the end; of two channels, one is quiet for longer.
  private func makeInput(_ codec: String) throws -> String {
    let path = scratch.path(codec == "flac" ? "in.flac" : "in.wav")
    let left = "if(between(mod(t\\,2)\\,0.5\\,1.3)\\,0.0005\\,0.3)*sin(2*PI*440*t)"
    let right = "if(between(mod(t\\,2)\\,0.4\\,1.5)\\,0\\,0.2)*sin(2*PI*300*t)"
    try ffmpeg(
      "-f lavfi -i aevalsrc=\(left)|\(right):s=44100:d=5.2 -c:a \(codec)", to: path)
    return path
  }

  @Test(
    arguments: [("pcm_s16le", -50.0, 0.5), ("pcm_f32le", -50, 0.79), ("flac", -75, 0.01)])
  func silencesAreThoseOfFFmpeg(_ codec: String, _ threshold: Double, _ minimum: Double)
    async throws
  {
    let input = try makeInput(codec)
    let text = try #require(
      try await measure(input, "\"silence\", \"threshold\": \(threshold), \"minimum\": \(minimum)")
        .first)
    let found = try JSONDecoder().decode(Found.self, from: text)
    let theirs = try log(input, "silencedetect=n=\(threshold)dB:d=\(minimum)")
    func times(_ name: String) -> [Double] {
      theirs.components(separatedBy: "\(name): ").dropFirst().compactMap { part in
        part.split { " \n|".contains($0) }.first.flatMap { Double($0) }
      }
    }
    #expect(found.duration == 5.2)
    #expect(found.silences.count == times("silence_start").count)
    for (ours, start) in zip(found.silences.map(\.start), times("silence_start")) {
      #expect(abs(ours - start) < 0.0001)
    }
    for (ours, end) in zip(found.silences.map(\.end), times("silence_end")) {
      #expect(abs(ours - end) < 0.0001)
    }
    #expect(abs(found.silences.reduce(0) { $0 + $1.duration } - found.total) < 1e-9)
    if minimum == 0.5 { #expect(found.silences.count == 3, "\(found)") }
  }

  @Test func aSilenceGoesOnToTheEnd() async throws {
    let path = scratch.path("end.wav")
    let samples = [Int16](repeating: 9_000, count: 4_800) + [Int16](repeating: 0, count: 9_600)
    _ = try scratch.write(PCM.waveFile(samples, sampleRate: 48_000, channels: 1), to: "end.wav")
    let text = try #require(try await measure(path, #""silence", "minimum": 0.1"#).first)
    let found = try JSONDecoder().decode(Found.self, from: text)
    #expect(found.silences.map(\.start) == [0.1] && found.silences.map(\.end) == [0.3])
    let none = try #require(try await measure(path, #""silence", "minimum": 0.21"#).first)
    #expect(try JSONDecoder().decode(Found.self, from: none).silences.isEmpty)
  }

  @Test func levelsAreThoseOfFFmpeg() async throws {
    let input = try makeInput("pcm_s16le")
    let found = try JSONDecoder().decode(
      Levels.self, from: try #require(try await measure(input, #""level""#).first))
    let theirs = try log(input, "astats")
    func values(_ name: String) -> [Double] {
      theirs.components(separatedBy: "\(name) dB: ").dropFirst().compactMap { part in
        part.split(separator: "\n").first.flatMap { Double($0) }
      }
    }
    #expect(found.peak.count == 2 && found.duration == 5.2)
    for channel in 0..<2 {
      #expect(abs((found.peak[channel] ?? 0) - values("Peak level")[channel]) <= 0.01)
      #expect(abs((found.rms[channel] ?? 0) - values("RMS level")[channel]) <= 0.01)
    }
  }

  @Test func levelsComeIntervalByInterval() async throws {
    let samples = (0..<12_000).map { Int16($0 < 4_800 ? 0 : $0 < 9_600 ? 16_384 : -32_768) }
    let path = try scratch.write(
      PCM.waveFile(samples, sampleRate: 48_000, channels: 1), to: "steps.wav")
    let found = try await measure(path, #""level", "interval": 0.1"#).map {
      try JSONDecoder().decode(Levels.self, from: $0)
    }
    #expect(found.map(\.time) == [0, 0.1, 0.2] && found.map(\.duration) == [0.1, 0.1, 0.05])
    #expect(
      found.map { $0.peak[0] } == [nil, -6.02, 0] && found.map { $0.rms[0] } == [nil, -6.02, 0])
  }

  /// At 0 no sample changes, and one that is no number doesn't spread.
  @Test(arguments: [0, 3]) func pitchKeepsWhatIsNoNumberToItself(semitones: Int) async throws {
    let (input, output) = (scratch.path("nan.wav"), scratch.path("out.wav"))
    let expression = "'if(eq(n,1000),0/0,if(eq(n,3000),1/0,0.5*sin(2*PI*440*t)))'"
    try ffmpeg("-f lavfi -i aevalsrc=exprs=\(expression):d=1:s=48000 -c:a pcm_f32le", to: input)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" },
          "p": { "type": "pitch", "semitones": \(semitones) },
          "out": { "type": "wavSink", "path": "\(output)" } },
        "wires": ["in.audio -> p -> out"] }
      """)
    _ = try await run.run()
    func samples(_ path: String) throws -> [Float] {
      try floats(Array(tool("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])))
    }
    let (before, after) = (try samples(input), try samples(output))
    #expect(before.count(where: { !$0.isFinite }) == 2)
    #expect(after.allSatisfy { $0.isFinite })
    guard semitones == 0 else { return }
    #expect(before.map { $0.isFinite ? $0 : 0 } == after)
  }

  @Test(arguments: [(12, 440), (-12, 110)])
  func pitchChangesWithoutTheSpeed(_ semitones: Int, _ frequency: Int) async throws {
    let (input, output) = (scratch.path("tone.wav"), scratch.path("out.wav"))
    try ffmpeg("-f lavfi -i sine=f=220:r=48000:d=2", to: input)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" },
          "p": { "type": "pitch", "semitones": \(semitones) },
          "out": { "type": "wavSink", "path": "\(output)" } },
        "wires": ["in.audio -> p -> out"] }
      """)
    #expect(try await run.run().unbalanced == [])
    let samples = try PCM.samples(ofWave: output)
    #expect(abs(samples.count - 96_000) <= 4_800, "\(samples.count)")
    let middle = samples[samples.count / 4..<samples.count * 3 / 4]
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    let found = Double(crossings) * 48_000 / Double(middle.count)
    #expect(abs(found - Double(frequency)) < 6, "\(found)")
  }
}
