/// The samples that an index lists, one by one.
extension MovieIndex {
  /// Calls `body` with each sample of a track in the order of decoding, its place in the file, and
  /// whether it is the first of its chunk. Ends early where a table does, or where a sample isn't below
  /// `limit`; returns whether it came to the end.
  func forEachSample(
    of track: MovieTrack, below limit: Int,
    _ body: (_ sample: MovieFragment.Sample, _ place: Int, _ beginsChunk: Bool) -> Void
  ) -> Bool {
    guard data.first("stsz", in: track.table) != nil else { return track.sampleCount == 0 }
    var samples = TrackSamples(of: track, in: data, below: limit)
    while let (sample, place, beginsChunk) = samples.next() { body(sample, place, beginsChunk) }
    return samples.left == 0
  }
}

/// The samples of a track that a table lists, in the order of decoding.
struct TrackSamples {
  private let data: MovieBytes
  private let limit: Int
  private let sizes: MovieBox?
  private let commonSize: Int
  private var durations: SampleRuns
  private var offsets: SampleRuns
  private var syncs: SyncNumbers
  private var chunks: ChunkPlaces
  private var number = 0
  private var leftOfChunk = 0
  private var place = 0
  /// How many haven't come yet: more than none where the table ends early.
  private(set) var left: Int

  init(of track: MovieTrack, in data: MovieBytes, below limit: Int) {
    (self.data, self.limit) = (data, limit)
    sizes = data.first("stsz", in: track.table)
    commonSize = sizes.flatMap { data.u32($0.content + 4) } ?? 0
    durations = SampleRuns(data, data.first("stts", in: track.table))
    offsets = SampleRuns(data, data.first("ctts", in: track.table))
    syncs = SyncNumbers(data, data.first("stss", in: track.table))
    chunks = ChunkPlaces(data, in: track.table)
    left = track.sampleCount
  }

  /// The next sample, its place in the file, and whether it is the first of its chunk; `nil` at the
  /// end, and where a table ends early or the sample isn't below the limit.
  mutating func next() -> (sample: MovieFragment.Sample, place: Int, beginsChunk: Bool)? {
    guard left > 0, let sizes else { return nil }
    let beginsChunk = leftOfChunk == 0
    if beginsChunk {
      guard let chunk = chunks.next() else { return nil }
      (leftOfChunk, place) = (chunk.count, chunk.place)
    }
    let entry = sizes.content + 12 + 4 * number
    guard let size = commonSize > 0 ? commonSize : entry < sizes.end ? data.u32(entry) : nil,
      size > 0, let duration = durations.next(), place >= 0, size <= limit - place
    else { return nil }
    number += 1
    let flags =
      syncs.isSync(number) ? MovieFragment.Sample.syncFlags : MovieFragment.Sample.deltaFlags
    // Durations have no sign.
    let sample = MovieFragment.Sample(
      duration: duration & 0xffff_ffff, size: size, flags: flags, offset: offsets.next() ?? 0)
    defer { (left, leftOfChunk, place) = (left - 1, leftOfChunk - 1, place + size) }
    return (sample, place, beginsChunk)
  }
}

/// The chunks of a track: where each is, and how many samples it has (ISO/IEC 14496-12, 8.7).
private struct ChunkPlaces {
  private let data: MovieBytes
  private let places: MovieBox?
  private let counts: MovieBox?
  private var number = 0
  /// The entry of `stsc` that holds for the next chunk.
  private var entry = 0

  init(_ data: MovieBytes, in table: MovieBox) {
    self.data = data
    places = data.boxes(of: table).first { ["stco", "co64"].contains($0.type) }
    counts = data.first("stsc", in: table)
  }

  mutating func next() -> (place: Int, count: Int)? {
    guard let places, let counts else { return nil }
    let width = places.type == "co64" ? 8 : 4
    let offset = places.content + 8 + width * number
    guard offset + width <= places.end, let place = data.integer(at: offset, bytes: width) else {
      return nil
    }
    number += 1
    let following = counts.content + 8 + 12 * (entry + 1)
    if following + 12 <= counts.end, data.u32(following) == number { entry += 1 }
    let run = counts.content + 8 + 12 * entry
    guard run + 12 <= counts.end, let count = data.u32(run + 4), count > 0 else { return nil }
    return (place, count)
  }
}
