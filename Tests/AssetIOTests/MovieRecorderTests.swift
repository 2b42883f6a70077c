import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

@testable import AssetIO

@Suite(.inTurn) struct MovieRecorderTests {
  let scratch: Scratch
  private static let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
  private static let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  init() throws { scratch = try Scratch() }

  /// A recorder with the inputs of two devices.
  private struct Rig {
    let recorder: MovieRecorder
    let frames: RecorderInput
    let blocks: RecorderInput

    init(_ path: String, preRoll: Double = 0) throws {
      recorder = try MovieRecorder(path: path, preRoll: preRoll)
      var encoder = H264Encoder()
      encoder.keyFrameInterval = 25
      blocks = try recorder.input(for: .audio(sound))
      frames = try recorder.input(for: .video(picture, encoder))
    }

    /// What both devices hand out between two times, in twentieths and fiftieths of a second: a tick of
    /// 20 ms begins each second, and frames have their number as their brightness.
    func feed(from start: Double, to end: Double, video: Bool = true, audio: Bool = true)
      async throws
    {
      for number in Int((start * 50).rounded())..<Int((end * 50).rounded()) {
        if audio { try await hand(try block(number), to: blocks) }
        if video, number % 2 == 0 { try await hand(try frame(number / 2), to: frames) }
      }
    }

    private func hand(_ sample: ReadySampleBuffer, to input: RecorderInput) async throws {
      while !input.isReadyForMoreMediaData { try await input.receiver.waitUntilReady() }
      #expect(try input.append(sample))
    }

    func block(_ number: Int) throws -> ReadySampleBuffer {
      let value: Int16 = number % 50 == 0 ? 20_000 : 0
      let values = (0..<960).map { $0 / 48 % 2 == 0 ? value : -value }
      return ReadySampleBuffer(try soundBlock(number, values, sound))
    }

    func frame(_ number: Int) throws -> ReadySampleBuffer {
      var frame = SampleBuffer(
        bytes: [UInt8](repeating: UInt8(16 + number % 200), count: 64 * 48)
          + [UInt8](repeating: 128, count: 64 * 48 / 2),
        format: try FormatDescription(.video(picture)))
      frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
      frame.duration = MediaTime(value: 1, timescale: 25)
      return ReadySampleBuffer(frame)
    }
  }

  /// The numbers of a movie's frames, by their brightness.
  private func numbers(_ path: String) throws -> [Int] {
    let words = ["-v", "error", "-i", path, "-fps_mode", "passthrough"]
    let raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
    let bytes = Array(try run("ffmpeg", words + raw))
    return stride(from: 0, to: bytes.count, by: 64 * 48 * 3 / 2).map { Int(bytes[$0]) - 16 }
  }

  /// When ticks begin, in hundredths of a second.
  private func ticks(_ path: String) throws -> [Int] {
    // Silence is where the file has no samples.
    let filled = ["-af", "aresample=async=1:min_hard_comp=0.01:first_pts=0"]
    let words = ["-v", "error", "-i", path, "-map", "0:a"] + filled + ["-f", "s16le", "-"]
    var times: [Int] = []
    for (index, sample) in PCM.integers(Array(try run("ffmpeg", words))).enumerated()
    where abs(Int(sample)) > 8_000 {
      let time = (index + 240) / 480
      if time - (times.last ?? -100) > 50 { times.append(time) }
    }
    return times
  }

  @Test func beginsWithAPictureAndHaltsWithoutAGap() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    #expect(rig.recorder.state == .idle)
    try rig.recorder.prepare()
    try await rig.feed(from: 9, to: 10)
    #expect(rig.recorder.state == .preparing)
    try rig.recorder.record()
    // The microphone is there before the camera.
    try await rig.feed(from: 10, to: 10.5, video: false)
    #expect(rig.recorder.state == .preparing)
    try await rig.feed(from: 10.52, to: 12)
    #expect(rig.recorder.state == .recording)
    try rig.recorder.pause()
    #expect(rig.recorder.duration == MediaTime(value: 148, timescale: 100))
    try await rig.feed(from: 12, to: 13.6)
    #expect(rig.recorder.state == .paused)
    try rig.recorder.record()
    try await rig.feed(from: 13.6, to: 15.2)
    let report = try await rig.recorder.finish()
    #expect(rig.recorder.state == .finished && rig.recorder.lateCount == 0)
    #expect(report.unbalanced == [])
    #expect(rig.frames.omittedCount > 0 && rig.blocks.omittedCount > 0)
    // Of the frames from 10.52 to 12 s and from 13.6 to 15.2 s.
    let frames = try numbers(path)
    #expect(frames == (Array(263..<300) + Array(340..<380)).map { $0 % 200 })
    // Those of 11, 14 and 15 s.
    let times = try ticks(path)
    #expect(times == [48, 188, 288])
  }

  /// Audio is further than the picture when it is halted: nothing of the next part is before that.
  @Test func haltsAfterWhatItHas() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    try rig.recorder.record()
    try await rig.feed(from: 0.52, to: 1.52)
    try await rig.feed(from: 1.52, to: 1.58, video: false)
    try rig.recorder.pause()
    try await rig.feed(from: 1.52, to: 1.58, audio: false)
    try await rig.feed(from: 1.58, to: 2.52)
    try rig.recorder.record()
    try await rig.feed(from: 2.52, to: 3.52)
    let report = try await rig.recorder.finish()
    #expect(rig.recorder.state == .finished && rig.recorder.lateCount == 0)
    #expect(report.unbalanced == [])
    #expect(try numbers(path).suffix(25) == Array(63..<88)[...])
    // Those of 1 s and of 3 s, which is 0.48 s after the 1.06 s of the first part.
    #expect(try ticks(path) == [48, 154])
  }

  @Test func isWholeThoughTheTaskThatWaitsForItIsCancelled() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    try rig.recorder.record()
    try await rig.feed(from: 0, to: 3)
    let finishing = Task { [recorder = rig.recorder] in
      while !Task.isCancelled { await Task.yield() }
      return try await recorder.finish()
    }
    finishing.cancel()
    let report = try await finishing.value
    #expect(rig.recorder.state == .finished && report.unbalanced == [])
    #expect(try numbers(path) == Array(0..<75))
  }

  @Test func aPauseTakesAWishToRecordBack() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    try rig.recorder.record()
    try rig.recorder.pause()
    try await rig.feed(from: 0, to: 1)
    #expect(rig.recorder.state == .preparing)
    try rig.recorder.record()
    try await rig.feed(from: 1, to: 2)
    try rig.recorder.pause()
    try rig.recorder.record()
    try rig.recorder.pause()
    try await rig.feed(from: 2, to: 3)
    #expect(rig.recorder.state == .paused)
    #expect(throws: NodeError.self) { try rig.recorder.pause() }
    try await rig.recorder.finish()
    #expect(try numbers(path) == Array(25..<50))
  }

  @Test func nothingReplacesNoMovie() async throws {
    let path = scratch.path("a.mp4")
    try Data("keep me".utf8).write(to: URL(fileURLWithPath: path))
    let writer = AssetWriter(path: path) { $0.overwrite = true }
    _ = try writer.inputReceiver(for: .video(Self.picture))
    try writer.start()
    try writer.startSession(at: .zero)
    await #expect(throws: RunError.self) { try await writer.finishWriting() }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep me")
  }

  @Test func keepsWhatCameBefore() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path, preRoll: 2)
    try rig.recorder.prepare()
    // What came before it is wanted goes through the encoders: they are waited for here.
    try await rig.feed(from: 0, to: 5)
    #expect(rig.recorder.duration == .zero)
    try rig.recorder.record()
    #expect(rig.recorder.state == .recording)
    try await rig.feed(from: 5, to: 7)
    #expect(rig.recorder.duration == MediaTime(value: 4, timescale: 1))
    try await rig.recorder.finish()
    #expect(rig.recorder.lateCount == 0)
    let frames = try numbers(path)
    // Two seconds before it, up to a key frame each second.
    #expect(frames.last == 174 && frames == Array(frames[0]...174))
    #expect(frames[0] % 25 == 0 && (50...75).contains(frames[0]))
    let times = try ticks(path)
    // The movie's first tick may begin inside of a packet, of which all that is before it is left out.
    #expect((0...2).contains(times[0]))
    #expect(times.dropFirst().elementsEqual((1...(6 - frames[0] / 25)).map { $0 * 100 }))
  }

  @Test func keepsWhatCameBeforeWithoutACamera() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path, preRoll: 2)
    try rig.recorder.prepare()
    try await rig.feed(from: 0, to: 14, video: false)
    try rig.recorder.record()
    try await rig.feed(from: 14, to: 16, video: false)
    try await rig.recorder.finish()
    let times = try ticks(path)
    // From two seconds before on, by what the encoder had given then.
    try #require(times.count >= 4)
    // The movie's first tick may begin inside of a packet, of which all that is before it is left out.
    let later = times.dropFirst()
    #expect((98...100).contains(times[1] - times[0]))
    #expect(zip(later, later.dropFirst()).allSatisfy { $1 - $0 == 100 })
  }

  /// While nothing is recorded, both devices are quiet: that isn't in the movie.
  @Test(arguments: [0, 2.0]) func aPauseIsNoQuietCamera(preRoll: Double) async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path, preRoll: preRoll)
    try rig.recorder.prepare()
    try rig.recorder.record()
    try await rig.feed(from: 0, to: 2)
    try rig.recorder.pause()
    try rig.recorder.record()
    try await rig.feed(from: 20, to: 20.04, video: false)
    try await rig.feed(from: 20, to: 20.04, audio: false)
    try await rig.feed(from: 20.04, to: 21)
    #expect(rig.recorder.duration == MediaTime(value: 3, timescale: 1))
    try await rig.recorder.finish()
    #expect(try ticks(path).count == 3 && numbers(path).count == 75)
  }

  @Test func marksAreChapters() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    #expect(throws: NodeError.self) { try rig.recorder.mark("too early") }
    try rig.recorder.record()
    try await rig.feed(from: 0, to: 1.5)
    #expect(try rig.recorder.mark("One") != nil)
    try await rig.feed(from: 1.5, to: 3)
    try await rig.recorder.finish()
    let chapters = try probe(path, "chapter_tags=title", "-show_chapters")
    #expect(chapters.contains { $0.contains("One") })
  }

  @Test func aSilentMicrophoneHoldsUpNothing() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    try rig.recorder.record()
    try await rig.feed(from: 0, to: 1)
    try await rig.feed(from: 1, to: 8, audio: false)
    try await rig.feed(from: 8, to: 9)
    try await rig.recorder.finish()
    #expect(rig.recorder.lateCount == 0)
    let frames = try numbers(path)
    #expect(frames == (0..<225).map { $0 % 200 })
    let times = try ticks(path)
    #expect(times == [0, 800])
  }

  /// What a camera lacks isn't lost of the microphone: neither without a picture, nor where they stop
  /// coming.
  @Test(arguments: [[], [0...1], [0...1, 12...13]] as [[ClosedRange<Double>]])
  func aSilentCameraHoldsUpNothing(pictures: [ClosedRange<Double>]) async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    try rig.recorder.record()
    for second in 0..<13 {
      let start = Double(second)
      let hasPictures = pictures.contains { $0.contains(start) && $0.upperBound > start }
      try await rig.feed(from: start, to: start + 1, video: hasPictures)
    }
    #expect(rig.recorder.duration.seconds > 12.9)
    let report = try await rig.recorder.finish()
    #expect(rig.recorder.lateCount == 0 && report.unbalanced == [])
    // While it records, or at its end, whichever is sooner.
    let texts = ["track is left out", "no sample came on"]
    let warnings = report.warnings?.map(\.message) ?? []
    let isSaid = warnings.contains { warning in texts.contains { warning.contains($0) } }
    #expect(isSaid == pictures.isEmpty)
    #expect(try ticks(path) == (0..<13).map { $0 * 100 })
    let frames = pictures.flatMap { Int($0.lowerBound) * 25..<Int($0.upperBound) * 25 }
    #expect(try pictures.isEmpty || numbers(path) == frames.map { $0 % 200 })
  }

  @Test func aPartAfterAPauseNeedsNoPicture() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    try rig.recorder.record()
    try await rig.feed(from: 0, to: 2)
    try rig.recorder.pause()
    try rig.recorder.record()
    try await rig.feed(from: 5, to: 17, video: false)
    #expect(rig.recorder.state == .recording)
    try await rig.recorder.finish()
    #expect(try ticks(path) == (0..<14).map { $0 * 100 })
  }

  @Test func lateFramesAreCounted() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    try rig.recorder.record()
    try await rig.feed(from: 0, to: 1)
    // It was overtaken by others, and one has the time of the last.
    #expect(try !rig.frames.append(try rig.frame(3)))
    #expect(try !rig.frames.append(try rig.frame(24)))
    #expect(rig.frames.lateCount == 2 && rig.recorder.lateCount == 2)
    try await rig.recorder.finish()
    let count = try numbers(path).count
    #expect(count == 25)
  }

  @Test func aDeviceIsFasterThanTheEncoder() async throws {
    let path = scratch.path("a.mp4")
    let format = VideoFormat(.i420, width: 1280, height: 720, frameRate: Rational(25))
    let recorder = try MovieRecorder(path: path)
    let frames = try recorder.input(for: .video(format))
    try recorder.prepare()
    try recorder.record()
    let gray = ReadySampleBuffer(
      SampleBuffer(
        bytes: [UInt8](repeating: 128, count: 1280 * 720 * 3 / 2),
        format: try FormatDescription(.video(format))))
    var taken = 0
    for number in 0..<1_000 where frames.lateCount < 5 {
      var frame = gray.share()
      frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
      if try frames.append(frame) { taken += 1 }
    }
    #expect(frames.lateCount == 5)
    try await recorder.finish()
    #expect(recorder.lateCount == 5)
    #expect(try probe(path, "stream=nb_frames") == ["\(taken)"])
  }

  @Test func misuseIsSaid() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    #expect(throws: NodeError.self) { try rig.recorder.record() }
    #expect(throws: NodeError.self) { try rig.frames.append(try rig.frame(0)) }
    try rig.recorder.prepare()
    #expect(throws: NodeError.self) { try rig.recorder.prepare() }
    #expect(throws: NodeError.self) { try rig.recorder.pause() }
    var states = rig.recorder.states.makeAsyncIterator()
    #expect(await states.next() == .preparing)
    await #expect(throws: NodeError.self) { try await rig.recorder.finish() }
    #expect(await states.next() == .finishing)
    #expect(await states.next() == .failed)
    #expect(await states.next() == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(throws: NodeError.self) { try MovieRecorder(path: path, preRoll: -1) }
    #expect(throws: NodeError.self) { try MovieRecorder(path: path, preRoll: .nan) }
  }

  @Test func aCancelledOneLeavesNothing() async throws {
    let path = scratch.path("a.mp4")
    let rig = try Rig(path)
    try rig.recorder.prepare()
    try rig.recorder.record()
    try await rig.feed(from: 0, to: 1)
    await rig.recorder.cancel()
    #expect(rig.recorder.state == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try !rig.frames.append(try rig.frame(30)) || rig.frames.omittedCount > 0)
  }

  @Test func aDroppedOneIsWhole() async throws {
    let path = scratch.path("a.mp4")
    let pipeline: Pipeline
    do {
      let rig = try Rig(path)
      try rig.recorder.prepare()
      try rig.recorder.record()
      try await rig.feed(from: 0, to: 2)
      pipeline = try #require(rig.recorder.core.writer.core.state.withLock { $0.pipeline })
    }
    #expect(await pipeline.report().state == .completed)
    #expect(try numbers(path).count == 50)
  }
}
