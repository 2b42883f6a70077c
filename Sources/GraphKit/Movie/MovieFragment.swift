/// What one `traf` box of a fragment adds to a track (ISO/IEC 14496-12, 8.8).
struct MovieFragment: Sendable {
  let track: Int
  let sampleCount: Int
  /// In the track's units; a floating-point number, since a broken file may claim any length.
  let duration: Double

  /// The track fragments of a `moof` box.
  static func all(in data: MovieBytes) -> [MovieFragment] {
    guard let fragment = data.box(at: 0, limit: data.bytes.count) else { return [] }
    return data.boxes(of: fragment).filter { $0.type == "traf" }
      .compactMap { MovieFragment(data, box: $0) }
  }

  private init?(_ data: MovieBytes, box: MovieBox) {
    guard let header = data.first("tfhd", in: box), let track = data.u32(header.content + 4) else {
      return nil
    }
    self.track = track
    let usual = Self.usualDuration(data, header)
    var (count, duration) = (0, 0.0)
    for run in data.boxes(of: box) where run.type == "trun" {
      let added = Self.run(data, run, usualDuration: usual)
      (count, duration) = (count + added.count, duration + added.duration)
    }
    (sampleCount, self.duration) = (count, duration)
  }

  private static func flags(_ data: MovieBytes, _ box: MovieBox) -> Int {
    (data.u32(box.content) ?? 0) & 0xff_ffff
  }

  /// The fields before the duration are there where their flags say so.
  private static func usualDuration(_ data: MovieBytes, _ header: MovieBox) -> Int {
    let flags = flags(data, header)
    guard flags & 0x8 != 0 else { return 0 }
    let before = (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
    return data.u32(header.content + 8 + before) ?? 0
  }

  private static func run(_ data: MovieBytes, _ run: MovieBox, usualDuration: Int)
    -> (count: Int, duration: Double)
  {
    let flags = flags(data, run)
    let count = data.u32(run.content + 4) ?? 0
    let entry = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 } * 4
    let first = run.content + 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
    guard entry > 0 else { return (count, Double(count) * Double(usualDuration)) }
    let there = min(count, max(0, run.end - first) / entry)
    guard flags & 0x100 != 0 else { return (there, Double(there) * Double(usualDuration)) }
    let sum = (0..<there).reduce(0) { $0 + (data.u32(first + $1 * entry) ?? 0) }
    return (there, Double(sum))
  }
}
