import Media

/// The PCM of a movie that holds nothing else: one track, whose frames lie in one row and are all
/// presented (QuickTime File Format, "Sound sample descriptions" and "Sample table atoms").
///
/// It is read as that of WAV files is. GStreamer's demuxer (1.22) merges the chunks of such a track,
/// reads past the end of its table of times doing so, and sometimes ends after one packet.
struct MoviePCM {
  private let data: MovieBytes
  private let track: MovieTrack

  /// The position of the PCM; `nil` where the movie is to be read as others are.
  static func locate(in index: MovieIndex, of movie: MovieFile) -> PCMLocation? {
    let data = index.data
    guard let track = index.tracks.first, track.kind == .encodedAudio,
      data.boxes(of: index.movie).count(where: { $0.type == "trak" }) == 1,
      data.first("mvex", in: index.movie) == nil
    else { return nil }
    let sound = MoviePCM(data: data, track: track)
    guard let entry = PCMDescription(data, track), let format = entry.format,
      sound.isWhole(in: index), sound.frameSize == format.bytesPerFrame,
      track.timescale == format.sampleRate, let start = sound.start
    else { return nil }
    // The box that a cut goes through isn't among the others.
    let samples = movie.boxes.filter { $0.type == "mdat" }
    let holder = samples.first { ($0.content..<$0.end).contains(start) }
    guard let end = holder?.end ?? (samples.isEmpty ? movie.file.size : nil), start < end else {
      return nil
    }
    var location = PCMLocation(
      path: movie.path, format: format, offset: start,
      frameCount: min(track.sampleCount, (end - start) / format.bytesPerFrame))
    location.shortfall = MovieExtent.end(of: movie.file).flatMap { stated in
      FileExtent.shortfall(of: movie.path, movie.file.size, stated: stated)
    }
    return location
  }

  private var frameSize: Int {
    data.first("stsz", in: track.table).flatMap { data.u32($0.content + 4) } ?? 0
  }

  /// Whether each frame lasts one unit, and an edit list presents them all, to its own unit.
  private func isWhole(in index: MovieIndex) -> Bool {
    guard let times = data.first("stts", in: track.table), data.u32(times.content + 4) == 1,
      data.u32(times.content + 8) == track.sampleCount, data.u32(times.content + 12) == 1,
      data.first("ctts", in: track.table) == nil, track.edits.count < 2
    else { return false }
    guard let edit = track.edits.first else { return true }
    let version = data.first("edts", "elst", in: track.box).map(data.version) ?? 0
    let length = (Double(edit.duration) + 1) / Double(max(index.timescale, 1))
    return edit.mediaTime == 0 && data.u32(edit.offset + (version == 1 ? 16 : 8)) == 1 << 16
      && (edit.duration == 0 || length >= Double(track.sampleCount) / Double(track.timescale))
  }

  /// The offset of the first frame; `nil` where the frames aren't contiguous.
  private var start: Int? {
    guard let runs = data.first("stsc", in: track.table), let runCount = data.u32(runs.content + 4),
      let chunks = data.first("stco", in: track.table) ?? data.first("co64", in: track.table),
      let chunkCount = data.u32(chunks.content + 4)
    else { return nil }
    let width = chunks.type == "co64" ? 8 : 4
    var (first, next, frames, run) = (Int?.none, 0, 0, 0)
    for chunk in 0..<chunkCount {
      guard let place = data.integer(at: chunks.content + 8 + chunk * width, bytes: width),
        place < 1 << 60
      else { return nil }
      if run + 1 < runCount, data.u32(runs.content + 20 + run * 12) == chunk + 1 { run += 1 }
      guard let count = data.u32(runs.content + 12 + run * 12), first == nil || place == next,
        data.u32(runs.content + 16 + run * 12) == 1
      else { return nil }
      first = first ?? place
      frames += count
      next = place + count * frameSize
    }
    return frames == track.sampleCount ? first : nil
  }
}
