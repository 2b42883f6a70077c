import Foundation
import GraphKit
import TestTools
import Testing

extension FileTests {
  /// Video of the containers that came before those which say when what is presented.
  @Suite struct OldContainerTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func transcode(_ input: String) async throws -> String {
      let output = scratch.path("out.mp4")
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "h264": { "type": "h264Encoder" }, "aac": { "type": "aacEncoder" },
                     "out": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.video -> h264 -> out", "in.audio -> aac -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      return output
    }

    /// Of little video, much comes before the first audio.
    @Test func aProgramStreamsAudioIsFoundHoweverLateItComes() async throws {
      let input = scratch.path("in.mpg")
      try ffmpeg(
        "-f lavfi -i color=black:d=4:s=320x240:r=30 -f lavfi -i sine=d=4",
        "-c:v mpeg2video -c:a mp2", to: input)
      let output = try await transcode(input)
      #expect(try probe(output).map(\.codec_name) == ["h264", "aac"])
    }

    /// With B frames, an AVI file's key frames are presented later than they are decoded.
    @Test func bFramesOfAVIKeepTheirTimes() async throws {
      let input = scratch.path("in.avi")
      let flash = "drawbox=enable=between(mod(n\\,30)\\,0\\,2):color=white:t=fill"
      try ffmpeg(
        "-f lavfi -i color=black:s=64x48:r=30:d=4 -f lavfi -i sine=d=4 -vf \(flash)",
        "-c:v mpeg4 -bf 2 -g 45 -q:v 3 -c:a mp3", to: input)
      let output = try await transcode(input)
      let times = try tool(
        "ffprobe",
        [
          "-v", "error", "-f", "lavfi", "-i", "movie=\(output),signalstats", "-show_entries",
          "frame=pts_time:frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0",
        ])
      let rows = String(decoding: times, as: UTF8.self).split(separator: "\n").map {
        $0.split(separator: ",").compactMap { Double($0) }
      }
      let starts = rows.indices.filter { rows[$0][1] > 128 && ($0 == 0 || rows[$0 - 1][1] < 128) }
      #expect(starts.count == 4)
      for (second, row) in starts.enumerated() {
        #expect(abs(rows[row][0] - Double(second)) < 0.03)
      }
      for (before, after) in zip(rows, rows.dropFirst()) {
        #expect(abs(after[0] - before[0] - 1.0 / 30) < 0.002)
      }
    }

    /// Slices of MPEG-2 from the 32nd row on have the codes of MPEG-4's headers.
    @Test func videoWithBFramesOfAVIIsNotCopied() async throws {
      let input = scratch.path("in.avi")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=720x576:r=25:d=0.5 -c:v mpeg2video -bf 2 -q:v 4", to: input)
      let error = await #expect(throws: RunError.self) {
        try await pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(input)" },
              "out": { "type": "matroskaSink", "path": "\(scratch.path("out.mkv"))" } },
            "wires": ["in.video -> out"] }
          """
        ).run()
      }
      #expect(error?.report.failure?.message.contains("when they are presented") == true)
    }

    /// Without B frames, packets of an AVI file are presented when they are decoded.
    @Test(arguments: [1, 12]) func videoOfAVIIsCopied(keyFrameInterval: Int) async throws {
      let (input, output) = (scratch.path("in.avi"), scratch.path("out.mkv"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=1 -c:v mpeg4 -g \(keyFrameInterval)", to: input)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "out": { "type": "matroskaSink", "path": "\(output)" } },
          "wires": ["in.video -> out"] }
        """
      ).run()
      #expect(report.wires["in.video -> out.video"]?.samplesOut == 25)
      #expect(try decodeComplaints(output) == "")
      #expect(differs(try frameTimes(output), from: (0..<25).map { Double($0) / 25 }) < 0.0011)
    }
  }
}
