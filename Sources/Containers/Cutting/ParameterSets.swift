/// Lists of parameter sets in `avcC` and `hvcC`, each set with its length in two bytes before it.
enum ParameterSets {
  /// Reads so many sets from a place on, which is after them then; `nil` where they are cut off or empty.
  static func read(
    _ count: Int, in bytes: [UInt8], from place: inout Int
  ) -> [[UInt8]]? {
    var sets: [[UInt8]] = []
    for _ in 0..<count {
      guard place + 2 <= bytes.count else { return nil }
      let start = place + 2
      let end = start + Int(bytes[place]) << 8 + Int(bytes[place + 1])
      guard end > start, end <= bytes.count else { return nil }
      sets.append(Array(bytes[start..<end]))
      place = end
    }
    return sets
  }

  static func write(_ sets: [[UInt8]], to bytes: inout [UInt8]) {
    for set in sets {
      bytes += [UInt8(set.count >> 8), UInt8(set.count & 0xff)]
      bytes += set
    }
  }
}
