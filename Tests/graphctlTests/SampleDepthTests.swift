import Foundation
import TestTools
import Testing

/// How many bits samples have in files of PCM, and in those that are encoded without loss.
@Suite(.inTurn) struct SampleDepthTests {
  /// 24 bits that were encoded without loss stay 24, to the bit; what was encoded with loss gets 16.
  @Test(arguments: [
    ("flac -sample_fmt s32 -bits_per_raw_sample 24", "a.flac", "pcm_s24le"),
    ("alac -sample_fmt s32p -bits_per_raw_sample 24", "a.m4a", "pcm_s24le"),
    ("flac -sample_fmt s16", "a.flac", "pcm_s16le"), ("pcm_f32le", "a.wav", "pcm_f32le"),
    ("alac -sample_fmt s16p", "a.m4a", "pcm_s16le"),
  ])
  func aFileOfPCMHasTheDepthOfItsSource(_ codec: String, _ input: String, _ output: String)
    async throws
  {
    let folder = try Folder()
    try Tool.generate(
      "-f lavfi -i sine=d=0.5:r=48000 -af volume=0.3777 -c:a \(codec)".words, to: input, in: folder)
    try folder.write(
      "a.json",
      """
      { "nodes": { "file": { "type": "file", "path": "\(input)" },
                   "sound": { "type": "wavSink", "path": "out.wav" } },
        "wires": ["file.audio -> sound"] }
      """)
    let result = try await Graphctl.run(["run", "a.json", "--quiet"], in: folder)
    #expect(result.status == 0, "\(result)")
    let words = "-v error -show_entries stream=codec_name -of csv=p=0 out.wav"
    let probe = try await Tool.result("ffprobe", words.words, in: folder.url)
    #expect(probe.output == output + "\n")
    #expect(try await sum(of: "out.wav", in: folder) == sum(of: input, in: folder))
  }

  /// The checksum of a file's samples at 32 bits.
  private func sum(of name: String, in folder: Folder) async throws -> String {
    let words = "-nostdin -v error -i \(name) -c:a pcm_s32le -f md5 -"
    let result = try await Tool.result("ffmpeg", words.words, in: folder.url)
    #expect(result.output.hasPrefix("MD5="), "\(result)")
    return result.output
  }
}

extension String {
  /// The words between its spaces.
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
