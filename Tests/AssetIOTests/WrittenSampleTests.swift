import AssetIO
import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What a writer makes of a reader's samples, judged by ffmpeg.
@Suite(.inTurn) struct WrittenSampleTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func seconds(_ value: Double) -> MediaTime {
    MediaTime(seconds: value, preferredTimescale: 90_000)
  }

  /// Writes what a provider gives as frames of a format.
  private func encode(
    _ provider: SampleProvider, _ first: ReadySampleBuffer, as format: VideoFormat, to path: String
  ) async throws {
    let writer = AssetWriter(path: path)
    let video = try writer.inputReceiver(for: .video(format))
    try writer.start()
    try writer.startSession(at: .zero)
    try await video.append(first)
    for try await frame in provider { try await video.append(frame) }
    video.finish()
    try await writer.finishWriting()
  }

  @Test func aFrameOfTooFewBytesIsRefused() async throws {
    let format = VideoFormat(.i420, width: 64, height: 48)
    let writer = AssetWriter(path: scratch.path("short.mp4"))
    let video = try writer.inputReceiver(for: .video(format))
    try writer.start()
    try writer.startSession(at: .zero)
    await #expect {
      for frame in 0..<25 {
        var sample = SampleBuffer(byteCount: 100, format: try FormatDescription(.video(format)))
        sample.presentationTime = MediaTime(value: Int64(frame), timescale: 25)
        try await video.append(sample)
      }
    } throws: {
      "\($0)".contains("100 bytes")
    }
    await writer.cancelWriting()
  }

  /// Frames say their colours and the shape of their pixels; a program may leave that to them.
  @Test(arguments: [true, false]) func framesSayTheirColors(isStated: Bool) async throws {
    let source = try scratch.media(
      "a.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=1,setsar=4/3 -c:v libx264 -pix_fmt yuv420p "
        + "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv")
    let asset = try await MediaAsset(path: source)
    let reader = try AssetReader(asset)
    let frames = try reader.outputProvider(for: .video(asset.tracks[0], .init(.i420)))
    try reader.start()
    let first = try #require(try await frames.next())
    let plain = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))
    guard case .video(let video) = first.format.format else {
      throw NodeError("no video", remedy: "")
    }
    let path = scratch.path("b.mp4")
    try await encode(frames, first, as: isStated ? video : plain, to: path)
    let entries = "stream=sample_aspect_ratio,color_space,color_transfer,color_primaries,nb_frames"
    let found = try probe(path, entries)
    #expect(found == ["4:3,bt709,bt709,bt709,25"])
  }

  @Test func otherColorsThanStatedAreRefused() async throws {
    var stated = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))
    stated.colorimetry = "bt601"
    var other = stated
    other.colorimetry = "bt709"
    let writer = AssetWriter(path: scratch.path("a.mp4"))
    let video = try writer.inputReceiver(for: .video(stated))
    try writer.start()
    try writer.startSession(at: .zero)
    var frame = SampleBuffer(
      bytes: [UInt8](repeating: 64, count: other.frameSize),
      format: try FormatDescription(.video(other)))
    frame.presentationTime = .zero
    let ready = ReadySampleBuffer(frame)
    await #expect {
      try await video.append(ready)
    } throws: { error in
      "\(error)".contains("bt709") && "\(error)".contains("bt601")
    }
    await writer.cancelWriting()
  }

  @Test func aMovieBeginsWithItsSession() async throws {
    let video = try scratch.media(
      "video.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -c:v libx264 -bf 2")
    let source = scratch.path("late.mp4")
    let words =
      "-v error -itsoffset 1 -i \(video) -f lavfi -i sine=r=48000:d=4 -c:v copy -c:a aac \(source)"
    _ = try run("ffmpeg", words.split(separator: " ").map(String.init))
    let path = scratch.path("copy.mp4")
    try await copyStored(source, to: path)
    let found = try probe(path, "stream=codec_name,start_time,duration")
    #expect(found == ["h264,1.000000,2.000000", "aac,0.000000,4.000000"])
    #expect(try run("ffmpeg", ["-v", "warning", "-i", path, "-f", "null", "-"]).isEmpty)
  }

  private func pictures(_ path: String) throws -> [Substring] {
    let words = ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough"]
    return String(
      decoding: try run("ffmpeg", words + ["-f", "framemd5", "-"]), as: UTF8.self
    ).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ",").last
    }
  }

  /// The frames at the end of a part are decoded from one that is presented after it.
  @Test(arguments: ["libx264 -g 100 -bf 3 -b_strategy 0", "libx265 -x265-params log-level=none"])
  func framesOfAPartAreWhole(codec: String) async throws {
    let source = try scratch.media(
      "a.mp4", "-f lavfi -i testsrc2=s=128x96:r=30:d=3 -pix_fmt yuv420p -c:v \(codec)")
    let all = try pictures(source)
    for end in [0.5, 0.9, 1.1, 1.45] {
      let path = scratch.path("part.mp4")
      try? FileManager.default.removeItem(atPath: path)
      try await copyStored(source, to: path, MediaTimeRange(start: .zero, duration: seconds(end)))
      let part = try pictures(path)
      let wanted = Int((end * 30).rounded(.up))
      #expect(part.count >= wanted, "\(end)")
      #expect(part.prefix(wanted).elementsEqual(all.prefix(wanted)), "\(end)")
    }
  }

  /// A part that begins in an open group of pictures is copied from its key frame on.
  @Test func aPartOfOpenGroupsIsCopied() async throws {
    let source = try scratch.media(
      "open.mp4",
      "-f lavfi -i testsrc2=s=128x96:r=30:d=3 -pix_fmt yuv420p -c:v libx265 "
        + "-x265-params keyint=30:min-keyint=30:open-gop=1:scenecut=0:log-level=none")
    let asset = try await MediaAsset(path: source)
    let reader = try AssetReader(
      asset, timeRange: MediaTimeRange(start: seconds(1.2), duration: seconds(1)))
    let packets = try reader.outputProvider(for: .stored(asset.tracks[0]))
    try reader.start()
    let first = try #require(try await packets.next())
    let path = scratch.path("part.mp4")
    try await copyStored(
      source, to: path, MediaTimeRange(start: seconds(1.2), duration: seconds(1)),
      from: first.presentationTime)
    let (all, part) = (try pictures(source), try pictures(path))
    let number = Int((first.presentationTime.seconds * 30).rounded())
    #expect(part.count >= 36 && part.prefix(36).elementsEqual(all[number...].prefix(36)))
  }

  @Test func aSecondFrameAtOneTimeIsRefused() async throws {
    let format = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))
    let path = scratch.path("a.mp4")
    let writer = AssetWriter(path: path)
    let video = try writer.inputReceiver(for: .video(format))
    try writer.start()
    try writer.startSession(at: .zero)
    let all = [(0, true), (-12, false), (1, true), (1, false), (0, false), (2, true)]
    for (number, isTaken) in all {
      var frame = SampleBuffer(
        bytes: [UInt8](repeating: UInt8(40 * max(0, number)), count: format.frameSize),
        format: try FormatDescription(.video(format)))
      frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
      let ready = ReadySampleBuffer(frame)
      if isTaken {
        try await video.append(ready)
      } else {
        await #expect(throws: NodeError.self) { try await video.append(ready) }
      }
    }
    video.finish()
    try await writer.finishWriting()
    #expect(try probe(path, "stream=nb_frames") == ["3"])
  }

  @Test func aSecondBlockAtOneTimeIsRefused() async throws {
    let format = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
    let path = scratch.path("a.mov")
    let writer = AssetWriter(path: path)
    let sound = try writer.inputReceiver(for: .pcm(format))
    try writer.start()
    try writer.startSession(at: .zero)
    for (number, isTaken) in [(0, true), (0, false), (1, true), (0, false)] {
      var block = SampleBuffer(
        bytes: [UInt8](repeating: 0, count: 2_048), format: try FormatDescription(.audio(format)))
      block.presentationTime = MediaTime(frames: number * 1_024, at: 48_000)
      let ready = ReadySampleBuffer(block)
      if isTaken {
        try await sound.append(ready)
      } else {
        await #expect(throws: NodeError.self) { try await sound.append(ready) }
      }
    }
    sound.finish()
    try await writer.finishWriting()
    #expect(try run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"]).count == 4_096)
  }

  @Test func planarBlocksAreCutToo() async throws {
    let format = AudioFormat(.s16, sampleRate: 48_000, channels: 2, layout: .planar)
    let path = scratch.path("a.mov")
    let writer = AssetWriter(path: path)
    let sound = try writer.inputReceiver(for: .pcm(format))
    try writer.start()
    try writer.startSession(at: MediaTime(value: 300, timescale: 48_000))
    try writer.endSession(at: MediaTime(value: 1_500, timescale: 48_000))
    for number in 0..<2 {
      let left = (0..<960).map { Int16(number * 960 + $0) }
      let right = left.map { -$0 }
      var block = SampleBuffer(
        bytes: PCM.bytes(of: left + right), format: try FormatDescription(.audio(format)))
      block.presentationTime = MediaTime(frames: number * 960, at: 48_000)
      block.duration = MediaTime(frames: 960, at: 48_000)
      try await sound.append(block)
    }
    sound.finish()
    try await writer.finishWriting()
    let bytes = try run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
    var wanted: [Int16] = []
    for value in Int16(300)..<1_500 { wanted += [value, -value] }
    #expect(PCM.integers(Array(bytes)) == wanted)
  }
}
