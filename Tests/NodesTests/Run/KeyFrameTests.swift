import GraphKit
import Testing

@testable import Nodes

/// Key frames that a sink asks of the encoders before it.
@Suite(.inTurn) struct KeyFrameTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// When the key frames of a video track are presented, in seconds.
  private func keyFrames(_ path: String, track: Int) throws -> [Double] {
    let words = ["-v", "error", "-select_streams", "v:\(track)", "-show_entries"]
    let output = try tool("ffprobe", words + ["packet=pts_time,flags", "-of", "csv=p=0", path])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ",")
      return fields.count > 1 && fields[1].hasPrefix("K") ? Double(fields[0]) : nil
    }
  }

  /// Two renditions of one source, whose encoders place hardly any key frame themselves.
  @Test(arguments: [
    (30, 1, "h264Encoder", 0), (30, 1, "h264Encoder", 3), (30_000, 1_001, "h264Encoder", 2),
    (25, 1, "hevcEncoder", 2), (30_000, 1_001, "hevcEncoder", 0),
    // Several are asked for before an encoder has made its first packet.
    (8, 1, "h264Encoder", 3), (5, 1, "hevcEncoder", 2), (5, 1, "vp9Encoder", -1),
  ])
  func renditionsAreAligned(_ frames: Int, _ seconds: Int, _ encoder: String, _ bFrames: Int)
    async throws
  {
    let isVP9 = encoder == "vp9Encoder"
    let (bFrames, small) = isVP9 ? ("", "") : ("\"bFrames\": \(bFrames),", "\"lowLatency\": true, ")
    let report = try await pipeline(
      """
      { "nodes": {
          "source": { "type": "testVideo", "width": 160, "height": 128, "frameRate": "\(frames)/\(seconds)",
                      "seconds": 7 },
          "large": { "type": "\(encoder)", \(bFrames) "keyFrameInterval": 1000 },
          "scale": { "type": "scale", "width": 80, "height": 64 },
          "small": { "type": "\(encoder)", \(small)"keyFrameInterval": 1000 },
          "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))", "playlist": true,
                     "segmentDuration": 1.5 } },
        "wires": ["source -> large -> movie.video", "source -> scale -> small -> movie.video.2"] }
      """
    ).run()
    #expect(report.unbalanced == [])
    let rate = Double(frames) / Double(seconds)
    // The first frame at each multiple or after it.
    let expected = (0..<5).map { (Double($0) * 1.5 * rate - 0.01).rounded(.up) / rate }
    for track in 0..<2 {
      let times = try keyFrames(scratch.path("a.mp4"), track: track)
      #expect(times.count == 5, "\(times)")
      for (time, wanted) in zip(times, expected) { #expect(abs(time - wanted) < 0.001) }
    }
    #expect(try decodeComplaints(scratch.path("a.mp4")) == "")
  }
}
