import Media
import GraphKitSystem

extension MovieFile {
  /// Calls `body` with every `moof` box, in the order of the file, and its place.
  func forEachFragment(_ body: (MovieBytes, _ start: Int) -> Void) throws(NodeError) {
    do {
      let size = file.size
      var offset = fragmentStart ?? size
      // Enough for most fragments, so that each is read once, and memory for one after another.
      var data = MovieBytes(bytes: Array(repeating: 0, count: 512))
      while offset < size {
        try file.read(into: &data.bytes, at: offset, count: 512)
        guard let box = data.box(at: 0, limit: size - offset) else { return }
        if box.type == "moof", box.size <= 1 << 30 {
          if box.size > 512 { try file.read(into: &data.bytes, at: offset, count: box.size) }
          body(data, offset)
        }
        offset += box.end
      }
    } catch { throw .unusable(path, error) }
  }

  /// What fragments add to the index before them.
  struct FragmentContents {
    /// The samples by track.
    var tables: [Int: SampleTable] = [:]
    var marks = ChapterMarks()
    /// The offset after the last sample that is whole.
    var end = 0
  }

  /// Makes an ordinary movie of one in fragments, without moving a sample; returns how many bytes at
  /// its end hold no whole sample.
  ///
  /// The new index goes to the end of the file, where readers ignore it as long as the first is
  /// there. Then one write of 16 bytes lets the first index and all fragments become the inside of
  /// a box of samples: at every moment the file is a movie of one kind or the other.
  func joinFragments() throws(NodeError) -> Int {
    guard fragmentStart != nil, let first = indexBox else { return 0 }
    let index = try self.index()
    let contents = try fragmentContents(of: index)
    let end = file.size
    do throws(File.Failure) {
      let (titles, bytes) = completed(index, with: contents, at: end)
      try append(titles + bytes, at: end)
      // An empty box in front leaves the index whole, which may be the head of a stream.
      let room = boxes.first { $0.end == first.start && $0.type == "free" && $0.size >= 16 }
      let start = room?.start ?? first.start
      try file.write(BoxWriter.sampleHeader(of: end + titles.count - start), at: start)
    } catch { throw .unusable(path, error) }
    return max(0, end - contents.end)
  }

  /// The index that reading begins with of a movie whose samples are partly in its index and partly in
  /// fragments, as if it were at the end of the file; `nil` for all others. GStreamer's demuxer (1.22)
  /// would read the first ones alone.
  func joinedIndex(_ first: MovieIndex) -> (index: MovieIndex, place: Int, reading: StreamEdit)? {
    guard fragmentStart != nil, let box = indexBox, box.size >= 16,
      first.data.first("mvex", in: first.movie) != nil,
      first.tracks.contains(where: { $0.sampleCount > 0 }),
      let contents = try? fragmentContents(of: first),
      let index = MovieIndex(MovieBytes(bytes: first.joined(with: contents.tables)))
    else { return nil }
    let end = file.size
    let header = BoxWriter.sampleHeader(of: end - box.start)
    return (
      index, end, StreamEdit(insertions: [end: index.data.bytes], patches: [box.start: header])
    )
  }

  private func append(_ bytes: [UInt8], at end: Int) throws(File.Failure) {
    do throws(File.Failure) { try file.write(bytes, at: end) } catch {
      try? file.truncate(to: end)
      throw error
    }
  }

  /// The samples and marks of all fragments. Samples that aren't wholly in the file are left out.
  private func fragmentContents(of index: MovieIndex) throws(NodeError) -> FragmentContents {
    var (isVague, isDamaged, found) = (false, false, FragmentContents())
    let size = file.size
    // Some programs put the first samples into the index, and only what follows into fragments.
    for track in index.tracks where track.sampleCount > 0 {
      found.tables[track.identifier] = SampleTable(of: track, in: index, fileSize: size)
    }
    let defaults = index.fragmentDefaults
    let (descriptions, counts) = (index.fragmentDescriptions, index.descriptionCounts)
    let limit = try firstDamagedFragment() ?? size
    try forEachFragment { data, start in
      guard start < limit, !isDamaged else { return }
      found.marks.read(in: data)
      MovieFragment.forEach(in: data, defaults: defaults) { fragment in
        let description = fragment.description ?? descriptions[fragment.track] ?? 1
        // Samples of a missing description can't be decoded.
        if !(1...(counts[fragment.track] ?? .max)).contains(description) { isDamaged = true }
        guard !isDamaged else { return }
        let place = found.tables[fragment.track, default: SampleTable()]
          .add(fragment, of: data, at: start, fileSize: size, description: description)
        if let place { found.end = max(found.end, place) } else { isVague = true }
      }
    }
    if isVague { throw .noMovie(path, "a fragment doesn't say where its samples are") }
    for track in found.tables.keys { found.tables[track]?.lengthenLast() }
    return found
  }
}

extension SampleTable {
  /// The samples that an index lists, as far as they are in the file.
  fileprivate init(of track: MovieTrack, in index: MovieIndex, fileSize: Int) {
    self.init()
    var chunk: (place: Int, samples: [MovieFragment.Sample])?
    _ = index.forEachSample(of: track, below: fileSize) { sample, place, beginsChunk in
      if beginsChunk {
        if let chunk { add(chunk.samples, at: chunk.place) }
        chunk = (place, [])
      }
      chunk?.samples.append(sample)
    }
    if let chunk { add(chunk.samples, at: chunk.place) }
  }

  private mutating func add(_ samples: [MovieFragment.Sample], at place: Int) {
    beginChunk(at: place, samples: samples.count)
    for sample in samples { append(sample) }
  }

  /// Adds the samples of a fragment, as far as they are in the file; returns the offset after them,
  /// or `nil` where the fragment doesn't say where they are or how long.
  fileprivate mutating func add(
    _ fragment: MovieFragment, of data: MovieBytes, at start: Int, fileSize: Int,
    description: Int
  ) -> Int? {
    var end: Int? = 0
    if let start = fragment.start { reach(start) }
    fragment.forEachRun(in: data) { run in
      guard let known = end, run.count > 0 else { return }
      guard let distance = run.start, (fragment.base ?? start) &+ distance >= 0 else {
        return end = nil
      }
      let place = (fragment.base ?? start) &+ distance
      var (next, count) = (place, 0)
      // A run may claim four thousand million samples in no bytes.
      while count < run.count {
        let size = fragment.sample(count, of: run, in: data).size
        if size == 0 { return end = nil }
        guard next <= fileSize - size else { break }
        (next, count) = (next + size, count + 1)
      }
      if count > 0 {
        beginChunk(at: place, samples: count, description: description)
      }
      for index in 0..<count { append(fragment.sample(index, of: run, in: data)) }
      if count > 0 { end = max(known, next) }
    }
    return end
  }
}
