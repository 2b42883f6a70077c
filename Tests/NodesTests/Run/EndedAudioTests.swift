import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Parts that begin after the audio of their file has ended.
@Suite(.inTurn) struct EndedAudioTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// The sizes of the part's audio packets, of two seconds of video and one of audio.
  private func packets(of ending: String, from: Double, exact: Bool) async throws -> [Int] {
    let (input, output) = (scratch.path("in.\(ending)"), scratch.path("out-\(from).mp4"))
    try ffmpeg(
      "-f lavfi -i testsrc=s=64x48:r=25:d=2 -f lavfi -i sine=d=1 -c:v libx264 -g 10 -pix_fmt yuv420p -c:a aac",
      to: input)
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)", "from": \(from), "duration": 0.3,
                           "exact": \(exact) },
                   "out": { "type": "mp4Sink", "path": "\(output)" } },
        "wires": ["in.video -> out.video", "in.audio -> out.audio"] }
      """
    ).run()
    #expect(report.unbalanced == [])
    let words = [
      "-v", "error", "-show_entries", "packet=codec_type,size", "-of", "csv=p=0", output,
    ]
    let lines = String(decoding: try tool("ffprobe", words), as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("video") } > 5)
    return lines.filter { $0.hasPrefix("audio") }
      .compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
  }

  @Test(arguments: ["mp4", "mkv", "ts"]) func copiesHaveNone(ending: String) async throws {
    let ended = try await packets(of: ending, from: 1.4, exact: false)
    #expect(ended == [])
    let sounding = try await packets(of: ending, from: 0.8, exact: false)
    #expect(sounding.count > 8)
  }

  @Test func exactPartsHaveNone() async throws {
    let ended = try await packets(of: "mp4", from: 1.4, exact: true)
    #expect(ended == [])
  }
}
