/// What one `traf` box of a fragment adds to a track (ISO/IEC 14496-12, 8.8).
struct MovieFragment: Sendable {
  /// A sample as a run describes it.
  struct Sample: Sendable {
    var duration = 0
    var size = 0
    var flags = 0
    /// How long after its decoding it is presented.
    var offset = 0

    var isSync: Bool { flags & 0x1_0000 == 0 }
  }

  /// Samples that follow one another without gaps: a `trun` box.
  struct Run: Sendable {
    let count: Int
    /// The offset of the first sample from the fragment's base; `nil` where the run doesn't say.
    var start: Int?
    fileprivate var firstFlags: Int?
    fileprivate let fields: Int
    fileprivate let entries: Int
    fileprivate let width: Int
  }

  let track: Int
  /// What the runs' places count from, where that isn't the start of the fragment.
  let base: Int?
  /// When its first sample is decoded, in the track's units; `nil` where it follows what came before.
  let start: Int?
  /// Which of the track's descriptions its samples have, from 1; `nil` where it doesn't say.
  let description: Int?
  /// What holds where a run gives no value.
  let usual: Sample
  private let box: MovieBox

  /// Calls `body` with the track fragments of a `moof` box. There are many in a movie, and nothing
  /// is allocated for any. `defaults` are those of the index, by tracks.
  static func forEach(
    in data: MovieBytes, defaults: [Int: Sample] = [:], _ body: (MovieFragment) -> Void
  ) {
    guard let fragment = data.box(at: 0, limit: data.bytes.count) else { return }
    data.forEachBox(of: fragment) { box in
      guard box.type == "traf" else { return }
      var (header, time): (MovieBox?, MovieBox?)
      data.forEachBox(of: box) {
        if $0.type == "tfhd", header == nil { header = $0 }
        if $0.type == "tfdt", time == nil { time = $0 }
      }
      let start = time.flatMap {
        data.integer(at: $0.content + 4, bytes: data.version($0) == 1 ? 8 : 4)
      }
      if let header,
        let found = MovieFragment(data, box: box, header: header, start: start, defaults)
      {
        body(found)
      }
    }
  }

  private init?(
    _ data: MovieBytes, box: MovieBox, header: MovieBox, start: Int?, _ defaults: [Int: Sample]
  ) {
    guard let flags = data.u32(header.content), let track = data.u32(header.content + 4) else {
      return nil
    }
    (self.track, self.box, self.start) = (track, box, start)
    // The fields are there where their flags say so.
    var place = header.content + 8
    func field(_ flag: Int, bytes: Int) -> Int? {
      guard flags & flag != 0 else { return nil }
      defer { place += bytes }
      return data.integer(at: place, bytes: bytes)
    }
    base = field(0x1, bytes: 8)
    description = field(0x2, bytes: 4)
    let known = defaults[track] ?? Sample()
    usual = Sample(
      duration: field(0x8, bytes: 4) ?? known.duration, size: field(0x10, bytes: 4) ?? known.size,
      flags: field(0x20, bytes: 4) ?? known.flags)
  }

  func forEachRun(in data: MovieBytes, _ body: (Run) -> Void) {
    data.forEachBox(of: box) { if $0.type == "trun" { body(Run(data, $0)) } }
  }

  /// What a fragment adds to its track: numbers in the track's units, floating-point ones, since a broken
  /// file may claim any.
  struct Extent {
    var sampleCount = 0
    /// The length of its samples, one after another.
    var duration = 0.0
    /// When the sample that is presented first begins, from the decoding of the fragment's first one;
    /// `nil` without samples.
    var start: Double?
    /// When the sample that is presented last ends.
    var end = 0.0
    private var lastStart = -Double.infinity

    fileprivate mutating func add(_ count: Int, _ sample: Sample) {
      let first = duration + Double(sample.offset)
      duration += Double(count) * Double(sample.duration)
      let last = first + Double(count - 1) * Double(sample.duration)
      sampleCount &+= count
      start = min(start ?? first, first)
      guard last >= lastStart else { return }
      (lastStart, end) = (last, last + Double(sample.duration))
    }
  }

  func extent(in data: MovieBytes) -> Extent {
    var extent = Extent()
    forEachRun(in: data) { run in
      guard run.count > 0 else { return }
      // Without lengths and offsets of their own, all samples are alike, of which there may be any number.
      guard run.fields & 0x900 != 0 else { return extent.add(run.count, usual) }
      for index in 0..<run.count { extent.add(1, sample(index, of: run, in: data)) }
    }
    return extent
  }

  /// One sample of a run.
  func sample(_ index: Int, of run: Run, in data: MovieBytes) -> Sample {
    var sample = usual
    if index == 0, let flags = run.firstFlags { sample.flags = flags }
    var place = run.entries + index * run.width
    func field(_ flag: Int) -> Int? {
      guard run.fields & flag != 0 else { return nil }
      defer { place += 4 }
      return data.u32(place)
    }
    if let duration = field(0x100) { sample.duration = duration }
    if let size = field(0x200) { sample.size = size }
    if let flags = field(0x400) { sample.flags = flags }
    if let offset = field(0x800) { sample.offset = Int(Int32(truncatingIfNeeded: offset)) }
    return sample
  }
}

extension MovieFragment.Run {
  fileprivate init(_ data: MovieBytes, _ box: MovieBox) {
    let flags = (data.u32(box.content) ?? 0) & 0xff_ffff
    let claimed = data.u32(box.content + 4) ?? 0
    var place = box.content + 8
    if flags & 0x1 != 0 {
      start = data.s32(place)
      place += 4
    }
    if flags & 0x4 != 0 {
      firstFlags = data.u32(place)
      place += 4
    }
    let width = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 } * 4
    (fields, entries, self.width) = (flags, place, width)
    count = width > 0 ? min(claimed, max(0, box.end - place) / width) : claimed
  }
}
