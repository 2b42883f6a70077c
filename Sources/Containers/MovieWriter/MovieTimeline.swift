import Media

/// When the tracks of a movie begin, and how much of each is skipped: its edit lists (ISO/IEC
/// 14496-12, 8.6.6), from what is known of the tracks' samples.
///
/// The movie begins with its first frame where it has video, else with its first sample. Audio from
/// before the first frame is skipped to the sample, unless it is of a track that keeps its start:
/// then the movie begins with that. What an encoder puts before its first sample is skipped.
struct MovieTimeline {
  /// What is known of a track that has samples.
  struct Track {
    /// When the sample that is presented first is presented and the first is decoded, in
    /// nanoseconds.
    var presentation: Int64
    var decode: Int64
    var timescale: Int
    /// Units at the beginning that are skipped though they come in time.
    var skipped = 0
    /// Whether the movie may begin with it.
    var beginsMovie = true
    /// When the sample that is presented last ends, in the track's units from the first decode
    /// time on; `nil` while it goes on.
    var end: Int?
    /// How much is presented of it at most, in the same units.
    var length: Int?
  }

  /// When the movie begins, in nanoseconds.
  let session: Int64
  private let timescale: Int

  /// The timeline of a movie that begins with its tracks, or at a time before them.
  init(_ tracks: [Track], timescale: Int, start: Int64? = nil) {
    self.timescale = timescale
    if let start {
      session = start
      return
    }
    let starters = tracks.filter(\.beginsMovie)
    session = (starters.isEmpty ? tracks : starters).map(\.presentation).min() ?? 0
  }

  /// The edits of a track: a pause until it begins, and all from its first sample on. How long that
  /// is stays open while the track goes on.
  func edits(of track: Track) -> [MovieTrack.Edit] {
    let first = Self.units(track.presentation &- track.decode, track.timescale)
    let early = Self.units(max(0, session &- track.presentation), track.timescale)
    let length = track.end.map { $0 - first }
    // A track that ends before the movie begins is presented all the same, and not lost.
    let isTooShort = length.map { $0 <= track.skipped &+ early } ?? false
    let start = max(0, isTooShort ? first : first &+ track.skipped &+ early)
    let rest =
      track.end.map { end in
        let length = min(max(0, end - start), track.length.map { max(1, $0 &- early) } ?? .max)
        return Self.scaled(length, track.timescale, timescale)
      } ?? 0
    let part = MovieTrack.Edit(offset: 0, duration: rest, mediaTime: start)
    let pause = Self.units(track.presentation &- session, timescale)
    return pause > 0 ? [.init(offset: 0, duration: pause, mediaTime: -1), part] : [part]
  }

  /// Nanoseconds in units of a timescale, to the nearest; exact for hundreds of years.
  static func units(_ nanoseconds: Int64, _ timescale: Int) -> Int {
    scaled(Int(nanoseconds), 1_000_000_000, timescale)
  }

  /// A value in units of another timescale, to the nearest, or to the nearest below; the largest there
  /// is where it is more.
  static func scaled(_ value: Int, _ old: Int, _ new: Int, isWhole: Bool = false) -> Int {
    let product = value.magnitude.multipliedFullWidth(by: UInt(max(0, new)))
    let divisor = UInt(max(1, old))
    let (low, carries) = product.low.addingReportingOverflow(isWhole ? 0 : divisor / 2)
    let high = product.high + (carries ? 1 : 0)
    guard high < divisor else { return value < 0 ? -Int(Int32.max) : Int.max / 4 }
    let units = Int(clamping: divisor.dividingFullWidth((high, low)).quotient)
    return value < 0 ? -units : units
  }
}
