import AssetIO
import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct AssetWriterTests {
  let scratch: Scratch
  private let sound = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
  private let picture = VideoFormat(.i420, width: 64, height: 48, frameRate: Rational(25))

  init() throws { scratch = try Scratch() }

  /// A block of 20 ms: a ramp that goes on from block to block.
  private func block(_ number: Int) throws -> SampleBuffer {
    let values = (0..<960).map { Int16(truncatingIfNeeded: (number * 960 + $0) % 20_000) }
    return try soundBlock(number, values, sound)
  }

  private func frame(_ number: Int) throws -> SampleBuffer {
    var frame = SampleBuffer(
      bytes: [UInt8](repeating: UInt8(16 + number % 200), count: 64 * 48 * 3 / 2),
      format: try FormatDescription(.video(picture)))
    frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
    frame.duration = MediaTime(value: 1, timescale: 25)
    return frame
  }

  private func streams(_ path: String) throws -> [Substring] {
    try probe(path, "stream=codec_name,nb_frames:stream_tags=language:format_tags=title")
  }

  private func complaints(_ path: String) throws -> Int {
    try run("ffmpeg", ["-v", "warning", "-i", path, "-f", "null", "-"]).count
  }

  @Test func oneThatComesTooEarlySpoilsNoOther() async throws {
    let path = scratch.path("a.m4a")
    let writer = AssetWriter(path: path)
    let blocks = try writer.inputReceiver(for: .audio(sound))
    try writer.start()
    try writer.startSession(at: .zero)
    for number in [0, 1, 3] {
      #expect(try blocks.appendImmediately(ReadySampleBuffer(try block(number))))
    }
    let early = ReadySampleBuffer(try block(2))
    #expect(throws: NodeError.self) { try blocks.appendImmediately(early) }
    #expect(try blocks.appendImmediately(ReadySampleBuffer(try block(4))))
    let report = try await writer.finishWriting()
    #expect(report.unbalanced == [] && writer.status == .completed)
  }

  /// A frame that was on screen when the session began goes ahead of the next, which then may have to wait.
  @Test(arguments: [true, false]) func whatWasTakenIsWritten(isFinished: Bool) async throws {
    let path = scratch.path("a.mp4")
    let writer = AssetWriter(path: path)
    let frames = try writer.inputReceiver(for: .video(picture))
    let blocks = try writer.inputReceiver(for: .audio(sound))
    try writer.start()
    try writer.startSession(at: MediaTime(value: 1, timescale: 2))
    #expect(try frames.appendImmediately(ReadySampleBuffer(try frame(0))))
    #expect(try frames.appendImmediately(ReadySampleBuffer(try frame(125))))
    if isFinished {
      frames.finish()
      frames.finish()
    }
    async let rest: Void = {
      if !isFinished { try await frames.append(try frame(126)) }
      frames.finish()
    }()
    for number in 25..<260 { try await blocks.append(try block(number)) }
    blocks.finish()
    try await rest
    #expect(try await writer.finishWriting().unbalanced == [])
    let found = try streams(path).joined(separator: " ")
    #expect(found.contains(isFinished ? "h264,2" : "h264,3"), "\(found)")
  }

  @Test func writesSoundAndPicturesInterleaved() async throws {
    let path = scratch.path("a.mp4")
    let writer = AssetWriter(path: path) { $0.title = "Test" }
    var tone = AssetWriterInput.audio(sound)
    tone.language = "de"
    let blocks = try writer.inputReceiver(for: tone)
    // It looks ahead, and hands on frames later than the audio of their time.
    let frames = try writer.inputReceiver(for: .video(picture))
    #expect(writer.status == .unknown)
    try writer.start()
    try writer.startSession(at: .zero)
    async let first: Void = {
      for number in 0..<500 { try await blocks.append(try block(number)) }
      blocks.finish()
    }()
    async let second: Void = {
      for number in 0..<250 { try await frames.append(try frame(number)) }
      frames.finish()
    }()
    _ = try await (first, second)
    let report = try await writer.finishWriting()
    #expect(writer.status == .completed && report.unbalanced == [])
    let found = try streams(path).joined(separator: " ")
    #expect(found.contains("h264,250") && found.contains("aac,47") && found.contains("deu"))
    #expect(found.contains("Test"))
    #expect(try complaints(path) == 0)
    let stretch = try longestStretch(of: path)
    #expect(stretch <= 0.5)
  }

  /// The most of one track that is in the file without any of the other, in seconds.
  private func longestStretch(of path: String) throws -> Double {
    var packets: [(place: Int, stream: Substring, seconds: Double)] = []
    for line in try probe(path, "packet=stream_index,pos,duration_time") {
      let fields = line.split(separator: ",")
      packets.append((Int(fields[2]) ?? 0, fields[0], Double(fields[1]) ?? 0))
    }
    var (longest, current, last): (Double, Double, Substring) = (0, 0, "")
    for packet in packets.sorted(by: { $0.place < $1.place }) {
      current = packet.stream == last ? current + packet.seconds : packet.seconds
      last = packet.stream
      longest = max(longest, current)
    }
    return longest
  }

  @Test func aSessionCutsToTheSample() async throws {
    let path = scratch.path("a.mov")
    let writer = AssetWriter(path: path)
    let blocks = try writer.inputReceiver(for: .pcm(sound))
    try writer.start()
    // A hundred samples into the second block, and a thousand samples before the end of the tenth.
    try writer.startSession(at: MediaTime(frames: 1_060, at: 48_000))
    try writer.endSession(at: MediaTime(frames: 8_600, at: 48_000))
    for number in 0..<12 { try await blocks.append(try block(number)) }
    #expect(blocks.omittedCount == 4)
    try await writer.finishWriting()
    let bytes = try run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
    #expect(PCM.integers(Array(bytes)) == (1_060..<8_600).map { Int16($0) })
  }

  @Test(arguments: [10_391, 10_398, 10_407]) func aSessionMayBeginBetweenTwoSamples(
    microseconds: Int64
  ) async throws {
    let path = scratch.path("a.mov")
    let writer = AssetWriter(path: path)
    let blocks = try writer.inputReceiver(for: .pcm(sound))
    try writer.start()
    // 498.8, 499.1 and 499.5 samples.
    try writer.startSession(at: MediaTime(value: microseconds, timescale: 1_000_000))
    for number in 0..<3 { try await blocks.append(try block(number)) }
    try await writer.finishWriting()
    let bytes = try run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
    let first: Int16 = microseconds < 10_407 ? 499 : 500
    #expect(PCM.integers(Array(bytes)) == (first..<2_880).map { $0 })
  }

  @Test func theFrameOnScreenIsTheFirst() async throws {
    let path = scratch.path("a.mp4")
    let writer = AssetWriter(path: path)
    let frames = try writer.inputReceiver(for: .video(picture))
    try writer.start()
    try writer.startSession(at: MediaTime(value: 110, timescale: 1_000))
    for number in 0..<10 { try await frames.append(try frame(number)) }
    try await writer.finishWriting()
    let times = try probe(path, "packet=pts_time").compactMap { Double($0) }.sorted()
    // Frame 2 from 0.11 s on, frame 3 at 0.12 s.
    #expect(times.count == 8)
    #expect(abs(times[0]) < 0.001 && abs(times[1] - 0.01) < 0.001 && abs(times[2] - 0.05) < 0.001)
  }

  /// A still picture, which comes once.
  @Test(arguments: [true, false]) func theFrameOnScreenIsThereThoughNoneFollows(isEnded: Bool)
    async throws
  {
    let path = scratch.path("a.mp4")
    let writer = AssetWriter(path: path)
    let frames = try writer.inputReceiver(for: .video(picture))
    try writer.start()
    try writer.startSession(at: MediaTime(value: 1, timescale: 1))
    if isEnded { try writer.endSession(at: MediaTime(value: 3, timescale: 1)) }
    var still = try frame(0)
    if !isEnded { still.duration = MediaTime(value: 3, timescale: 1) }
    try await frames.append(still)
    let report = try await writer.finishWriting()
    #expect(report.unbalanced == [])
    let found = try probe(path, "stream=nb_frames,duration").joined()
    #expect(found == "2.000000,1")
  }

  @Test(arguments: [
    "-c:a aac", "-c:a libmp3lame", "-c:a libopus", "-c:a flac -strict -2", "-c:a alac",
    "-c:a ac3",
  ])
  func soundThatIsCopiedSoundsTheSame(codec: String) async throws {
    let sound = "-f lavfi -i sine=f=441:r=48000:d=2"
    let pictures = "-f lavfi -i testsrc2=s=64x48:r=25:d=2 \(sound) -c:v libx264 -bf 2"
    for command in [sound, pictures] {
      let source = try scratch.media("source.mp4", "\(command) \(codec)")
      let path = scratch.path("copy.mp4")
      try? FileManager.default.removeItem(atPath: path)
      try await copyStored(source, to: path)
      func samples(_ path: String) throws -> [Int16] {
        let words = ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"]
        return PCM.integers(Array(try run("ffmpeg", words)))
      }
      let (copied, original) = (try samples(path), try samples(source))
      #expect(copied.count == original.count && copied == original, "\(command)")
      try FileManager.default.removeItem(atPath: source)
    }
  }

  @Test func storedSoundBeginsWithItsSession() async throws {
    let source = try scratch.media(
      "a.mp4", "-f lavfi -i anoisesrc=r=48000:d=3:seed=4 -ac 1 -c:a flac -strict -2")
    let path = scratch.path("copy.mp4")
    try await copyStored(source, to: path, from: MediaTime(frames: 50_000, at: 48_000))
    func samples(_ path: String) throws -> [Int16] {
      PCM.integers(Array(try run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])))
    }
    let (copied, original) = (try samples(path), try samples(source))
    #expect(copied == Array(original[50_000...]))
  }

  @Test func packetsOfAReaderAreStoredAsTheyCome() async throws {
    let source = try scratch.media(
      "source.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=3 -f lavfi -i sine=f=441:r=48000:d=3 -c:v libx264 -bf 2 "
        + "-c:a aac")
    let path = scratch.path("copy.mp4")
    try await copyStored(source, to: path)
    func pictures(_ path: String) throws -> Data {
      try run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
    }
    func frames(_ data: Data) -> [Substring] {
      String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: " ").last }
    }
    #expect(try frames(pictures(path)) == frames(pictures(source)))
    func sizes(_ path: String) throws -> [Substring] {
      try probe(path, "packet=size", "-select_streams", "a").map { $0.prefix { $0 != "," } }
    }
    #expect(try sizes(path) == sizes(source))
    #expect(try complaints(path) == 0)
  }

  @Test func theClassicLayerPullsWhenReady() async throws {
    let path = scratch.path("a.m4a")
    let writer = AssetWriter(path: path)
    let blocks = try writer.inputReceiver(for: .audio(sound))
    #expect(!blocks.isReadyForMoreMediaData)
    try writer.start()
    try writer.startSession(at: .zero)
    let queue = DispatchQueue(label: "blocks")
    let counter = Counter()
    await withCheckedContinuation { done in
      do {
        try blocks.requestMediaDataWhenReady(on: queue) {
          do {
            while blocks.isReadyForMoreMediaData {
              let number = counter.next()
              guard number < 200 else {
                if number == 200 {
                  blocks.markAsFinished()
                  done.resume()
                }
                return
              }
              #expect(try blocks.appendImmediately(ReadySampleBuffer(try block(number))))
            }
          } catch { Issue.record(error) }
        }
      } catch {
        Issue.record(error)
        done.resume()
      }
    }
    try await writer.finishWriting()
    #expect(try complaints(path) == 0)
    #expect(try probe(path, "stream=duration") == ["4.000000"])
  }

  private final class Counter: Sendable {
    private let value = NSLock()
    nonisolated(unsafe) private var count = 0
    func next() -> Int {
      value.withLock {
        defer { unsafe count += 1 }
        return unsafe count
      }
    }
  }

  @Test func framesAreDrawnIntoTheInputsOwnPool() async throws {
    let path = scratch.path("a.mp4")
    let writer = AssetWriter(path: path)
    let pictures = try writer.pixelBufferReceiver(for: .video(picture))
    try writer.start()
    try writer.startSession(at: .zero)
    for number in 0..<50 {
      var frame = try pictures.frame()
      frame.withMutableBytes { bytes in
        for index in bytes.indices { bytes[index] = UInt8(16 + number) }
      }
      try await pictures.append(frame, at: MediaTime(value: Int64(number), timescale: 25))
    }
    pictures.finish()
    try await writer.finishWriting()
    #expect(try streams(path).joined().contains("h264,50"))
  }

  @Test func theExamplesOfTheDocumentsRun() async throws {
    let path = scratch.path("fade.mp4")
    try await writeFade(to: path)
    #expect(try streams(path).joined().contains("h264,50"))
    let tone = try scratch.media("half.wav", "-f lavfi -i aevalsrc=0.5*sin(880*PI*t):s=48000:d=1")
    #expect(try await abs(peak(of: tone) - 0.5) < 0.001)
  }

  @Test func theProgramThatWasPortedWritesGrayAndCopiesTheSound() async throws {
    let source = try scratch.media(
      "colors.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -c:v libx264 -c:a aac")
    let path = scratch.path("gray.mp4")
    try await writeGray(source, to: path)
    let words = ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
    let frames = [UInt8](try run("ffmpeg", words))
    let (luma, size) = (64 * 48, 64 * 48 * 3 / 2)
    #expect(frames.count == 25 * size)
    let colors = stride(from: 0, to: frames.count, by: size).flatMap {
      frames[$0 + luma..<$0 + size]
    }
    #expect(colors.allSatisfy { abs(Int($0) - 128) <= 1 })
    #expect(Set(frames.prefix(luma)).count > 50)
    func packets(_ path: String) throws -> [Substring] {
      try probe(path, "packet=size,data_hash", "-select_streams", "a", "-show_data_hash", "md5")
    }
    #expect(try packets(path) == (try packets(source)))
  }

  // MARK: Misuse

  @Test func aCarelessProgramIsTold() async throws {
    var configuration = AssetWriter.Configuration()
    configuration.patience = .milliseconds(500)
    let writer = AssetWriter(path: scratch.path("a.mp4"), configuration: configuration)
    let frames = try writer.inputReceiver(for: .video(picture))
    let blocks = try writer.inputReceiver(for: .audio(sound))
    try writer.start()
    try writer.startSession(at: .zero)
    let error = await #expect(throws: NodeError.self) {
      for number in 0..<2_000 { try await frames.append(try frame(number)) }
    }
    #expect(error?.message.contains("waits for input 2") == true)
    blocks.finish()
    frames.finish()
    try await writer.finishWriting()
    #expect(writer.status == .completed)
  }

  @Test func misuseIsSaid() async throws {
    let path = scratch.path("a.mp4")
    let writer = AssetWriter(path: path)
    #expect(throws: NodeError.self) { try writer.start() }
    #expect(!AssetWriter(path: scratch.path("a.m4a")).canAdd(.video(picture)))
    #expect(throws: NodeError.self) {
      try AssetWriterInput.stored(FormatDescription(.audio(sound)))
    }
    let blocks = try writer.inputReceiver(for: .audio(sound))
    await #expect(throws: NodeError.self) { try await blocks.append(try block(0)) }
    await #expect(throws: NodeError.self) { try await writer.finishWriting() }
    try writer.start()
    #expect(throws: NodeError.self) { try writer.start() }
    #expect(throws: NodeError.self) { try writer.inputReceiver(for: .audio(sound)) }
    await #expect(throws: NodeError.self) { try await blocks.append(try block(0)) }
    #expect(throws: NodeError.self) { try writer.endSession(at: .zero) }
    try writer.startSession(at: .zero)
    #expect(throws: NodeError.self) { try writer.startSession(at: .zero) }
    try await blocks.append(try block(1))
    await #expect(throws: NodeError.self) { try await blocks.append(try block(0)) }
    await #expect(throws: NodeError.self) { try await blocks.append(try frame(1)) }
    blocks.finish()
    await #expect(throws: NodeError.self) { try await blocks.append(try block(2)) }
    try await writer.finishWriting()
    await #expect(throws: NodeError.self) { try await writer.finishWriting() }
    #expect(writer.status == .completed)

    let second = AssetWriter(path: path)
    let reason = second.reasonAgainst(.audio(sound))
    #expect(reason?.contains("is there already") == true || reason?.contains("overwrite") == true)
  }

  @Test func cancellingLeavesNoFile() async throws {
    for isThere in [false, true] {
      let path = scratch.path("cancelled-\(isThere).mp4")
      if isThere { try Data("old".utf8).write(to: URL(fileURLWithPath: path)) }
      let writer = AssetWriter(path: path) { $0.overwrite = isThere }
      let frames = try writer.inputReceiver(for: .video(picture))
      try writer.start()
      try writer.startSession(at: .zero)
      for number in 0..<200 { try await frames.append(try frame(number)) }
      await writer.cancelWriting()
      #expect(writer.status == .cancelled)
      #expect(!FileManager.default.fileExists(atPath: path))
      await #expect(throws: NodeError.self) { try await frames.append(try frame(200)) }
    }
  }

  @Test func writersLeaveAMovieOrNothing() async throws {
    var numbers = SeededNumbers(seed: 5)
    for round in 0..<20 {
      let path = scratch.path("\(round).m4a")
      let writer = AssetWriter(path: path)
      let blocks = try writer.inputReceiver(for: .audio(sound))
      try writer.start()
      try writer.startSession(at: .zero)
      for number in 0..<Int.random(in: 1...80, using: &numbers) {
        try await blocks.append(try block(number))
      }
      if Bool.random(using: &numbers) {
        await writer.cancelWriting()
        #expect(!FileManager.default.fileExists(atPath: path))
      } else {
        try await writer.finishWriting()
        #expect(try complaints(path) == 0)
      }
    }
  }
}
