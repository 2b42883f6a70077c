/// The units of a sample of H.264 or HEVC in a movie, each with its length in four bytes before it
/// (ISO/IEC 14496-15, 5.3.3.1).
struct SampleUnits {
  private(set) var all: [ArraySlice<UInt8>] = []

  /// The units of a sample; of what is damaged, those that can be found.
  init(of sample: [UInt8]) {
    var place = 0
    while place + 4 < sample.count {
      let size = sample[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = min(sample.count, place + 4 + max(1, size))
      all.append(sample[(place + 4)..<end])
      place = end
    }
  }

  /// A sample of the units that are left of these, changed as it may be.
  func sample(_ change: (ArraySlice<UInt8>) -> [UInt8]?) -> [UInt8] {
    var sample: [UInt8] = []
    for unit in all {
      guard let unit = change(unit) else { continue }
      sample += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: unit.count >> $0) }
      sample += unit
    }
    return sample
  }
}
