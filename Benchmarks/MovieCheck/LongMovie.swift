import Containers
import Media
import GraphKitSystem

/// A movie whose samples are ticks: they have times and sizes, and nothing that could be decoded.
struct LongMovie {
  private let path: String
  private let file: TickFile

  init(_ path: String) throws {
    File.remove(path)
    (self.path, file) = (path, TickFile(try File(path, for: .creating)))
  }

  private func writer(_ settings: MovieWriter.Settings) -> MovieWriter {
    var movie = MovieWriter([.init(), .init()], settings: settings, to: file)
    var video = MovieTrackFormat(.h264)
    (video.width, video.height, video.frameRate) = (1_920, 1_080, Rational(60, over: 1))
    // What x264 says of 1920x1080.
    video.configuration = [
      1, 100, 0, 42, 255, 225, 0, 27, 103, 100, 0, 42, 172, 217, 64, 120, 2, 39, 229, 192, 68, 0, 0,
      3, 0, 4, 0, 0, 3, 1, 224, 60, 96, 198, 88, 1, 0, 6, 104, 235, 227, 203, 34, 192, 253, 248,
      248, 0,
    ]
    var audio = MovieTrackFormat(.aac)
    (audio.sampleRate, audio.channels, audio.configuration) = (48_000, 2, [0x11, 0x90])
    movie.begin(0, video)
    movie.begin(1, audio)
    return movie
  }

  /// Records frames with two B-frames after each other, and packets of AAC, of varying sizes.
  func record(hours: Double) throws {
    var settings = MovieWriter.Settings()
    settings.fragmentDuration = 100_000_000
    var movie = writer(settings)
    let bytes = [UInt8](repeating: 0, count: 64)
    var (frame, packet) = (0, 0)
    let end = Int64(hours * 3_600_000_000_000)
    while true {
      let (decode, sound) = (Int64(frame) * 50_000_000 / 3, Int64(packet) * 64_000_000 / 3)
      guard min(decode, sound) < end else { break }
      if decode <= sound {
        let order = [2, 5, 1, 1][frame % 4]
        let sample = MovieSample(
          presentation: Int64(frame + order) * 50_000_000 / 3, decode: decode,
          duration: 16_666_667, isSync: frame % 60 == 0)
        try movie.append(sample, bytes.span.extracting(first: 20 + frame * 7 % 40), to: 0)
        frame += 1
      } else {
        let sample = MovieSample(
          presentation: sound, decode: sound, duration: 21_333_333, isSync: true)
        try movie.append(sample, bytes.span.extracting(first: 10 + packet * 5 % 20), to: 1)
        packet += 1
      }
    }
    let begin = ContinuousClock.now
    try movie.finish()
    let finish = (ContinuousClock.now - begin) / .seconds(1)
    let check = ContinuousClock.now
    let faults = try movie.receipt.faults(of: path)
    print(
      "\(frame) frames, \(packet) packets; finished in \(finish) s, checked in "
        + "\((ContinuousClock.now - check) / .seconds(1)) s; faults: \(faults)")
  }

  /// Copies a few samples that are very far apart, and very large.
  func fill(hours: Double, byteCount: Int) throws {
    var movie = writer(MovieWriter.Settings())
    let source = try File("/proc/self/exe")
    let count = max(2, Int(hours * 360))
    let size = max(1_000, byteCount / (2 * count))
    for index in 0..<count {
      let time = Int64(index) * 10_000_000_000
      // They are only named: where the holes come from is of no matter.
      let samples = (0..<2).map { stream in
        FileSample(
          stream: stream, offset: 0, byteCount: size, presentation: time, decode: time,
          duration: 10_000_000_000, isSync: true)
      }
      try movie.copy(samples, of: source)
    }
    let begin = ContinuousClock.now
    try movie.finish()
    print("\(count) samples each; finished in \((ContinuousClock.now - begin) / .seconds(1)) s")
  }
}

/// A file in which copied samples are holes.
private final class TickFile: MovieDestination {
  private let file: File

  init(_ file: File) { self.file = file }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws { try file.write(bytes, at: offset) }

  func copy(_ range: Range<Int>, of source: File, at offset: Int) throws {}
}
