import GraphKit
import GraphKitSystem
import Synchronization
import Testing

@testable import Containers
@testable import Nodes

/// A sample as an encoder gave it.
struct EncodedSample: Sendable {
  var known: MovieSample
  var bytes: [UInt8]
}

/// Encoded video and audio in memory, as a movie's writer gets them.
struct EncodedTracks: Sendable {
  var video: [EncodedSample] = []
  var audio: [EncodedSample] = []
  private(set) var formats: [MovieTrackFormat] = []

  /// What was encoded before, or is being encoded, by its seconds and B-frames.
  private static let known = Mutex<[[Int]: Task<EncodedTracks, any Error>]>([:])

  /// So many seconds of a test pattern and a tone, which are encoded once for all tests.
  init(seconds: Int = 2, bFrames: Int = 2, width: Int = 160) async throws {
    let task = Self.known.withLock { known in
      let key = [seconds, bFrames, width]
      if let task = known[key] { return task }
      let task = Task { try await EncodedTracks(encoding: seconds, bFrames: bFrames, width: width) }
      known[key] = task
      return task
    }
    self = try await task.value
  }

  private init(encoding seconds: Int, bFrames: Int, width: Int) async throws {
    let run = try pipeline(
      """
      { "nodes": {
          "pictures": { "type": "testVideo", "width": \(width), "height": 120,
                        "seconds": \(seconds) },
          "video": { "type": "h264Encoder", "bFrames": \(bFrames) },
          "tone": { "type": "testAudio", "seconds": \(seconds) }, "audio": { "type": "aacEncoder" },
          "out1": { "type": "appOutput" }, "out2": { "type": "appOutput" } },
        "wires": ["pictures -> video -> out1", "tone -> audio -> out2"] }
      """)
    let outputs = (try run.output("out1"), try run.output("out2"))
    run.start()
    async let first = Self.samples(outputs.0)
    async let second = Self.samples(outputs.1)
    let (pictures, sounds) = try await (first, second)
    _ = await run.report()
    (video, audio) = (pictures.samples, sounds.samples)
    formats = [pictures.format, sounds.format]
  }

  private static func samples(_ output: SampleOutput) async throws -> (
    samples: [EncodedSample], format: MovieTrackFormat
  ) {
    var samples: [EncodedSample] = []
    var format: MovieTrackFormat?
    while let sample = await output.next() {
      format = MovieTrackFormat(sample.format, lead: nil)
      let time = try #require(sample.presentationTime.nanoseconds)
      let known = MovieSample(
        presentation: time, decode: sample.decodeTime.nanoseconds ?? time,
        duration: sample.duration.nanoseconds ?? 0, isSync: sample.isSync)
      samples.append(
        EncodedSample(known: known, bytes: sample.withBytes { Array(copying: $0) }))
    }
    return (samples, try #require(format))
  }

  /// The samples of both tracks, each with its track, in the order of decoding; audio `lead`
  /// nanoseconds before the video of its time.
  func interleaved(lead: Int64 = 0) -> [(track: Int, sample: EncodedSample)] {
    let all = video.map { (0, $0, $0.known.decode) } + audio.map { (1, $0, $0.known.decode - lead) }
    return all.sorted { ($0.2, $0.0) < ($1.2, $1.0) }.map { ($0.0, $0.1) }
  }

  /// Has a writer write them all, without its finish.
  func write(
    to file: any MovieDestination, _ settings: MovieWriter.Settings = .init(),
    options: [MovieTrackOptions] = [.init(), .init()], lead: Int64 = 0
  ) throws -> MovieWriter {
    var movie = MovieWriter(options, settings: settings, to: file)
    for (track, format) in formats.enumerated() { movie.begin(track, format) }
    for (track, sample) in interleaved(lead: lead) {
      try movie.append(sample.known, sample.bytes.span, to: track)
    }
    return movie
  }
}
