/// What a movie says of a track of HEVC (ISO/IEC 14496-15, 8.3.3.1): its parameter sets, without which
/// no frame can be decoded.
package struct HEVCConfiguration: Hashable, Sendable {
  /// Units of one type.
  private struct Sets: Hashable {
    /// The type, and whether samples have no such units (`array_completeness`).
    var header: UInt8
    var units: [[UInt8]]

    var type: UInt8 { header & 0x3f }
  }

  /// The contents of `hvcC` before the sets.
  private var head: [UInt8]
  private var arrays: [Sets] = []

  /// Reads the contents of `hvcC`; `nil` where they are cut off, or one of the three kinds of sets is
  /// missing.
  package init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count > 22, bytes[0] == 1 else { return nil }
    head = Array(bytes[..<22])
    var place = 23
    for _ in 0..<bytes[22] {
      guard place < bytes.count, let sets = Self.sets(in: bytes, from: &place) else { return nil }
      arrays.append(sets)
    }
    for type in HEVCParameterSet.types where units(type).isEmpty { return nil }
  }

  private static func sets(in bytes: [UInt8], from place: inout Int) -> Sets? {
    guard place + 3 <= bytes.count else { return nil }
    let (header, count) = (bytes[place], Int(bytes[place + 1]) << 8 + Int(bytes[place + 2]))
    place += 3
    // A unit has two bytes before its contents.
    guard let units = ParameterSets.read(count, in: bytes, from: &place),
      units.allSatisfy({ $0.count > 2 })
    else { return nil }
    return Sets(header: header, units: units)
  }

  /// The bytes of `hvcC`.
  package var bytes: [UInt8] {
    var bytes = head + [UInt8(arrays.count)]
    for sets in arrays {
      bytes += [sets.header, UInt8(sets.units.count >> 8), UInt8(sets.units.count & 0xff)]
      ParameterSets.write(sets.units, to: &bytes)
    }
    return bytes
  }

  private func units(_ type: UInt8) -> [[UInt8]] {
    arrays.filter { $0.type == type }.flatMap(\.units)
  }

  /// Bytes of the length that is before each unit of a sample.
  var lengthSize: Int { Int(head[21] & 3) + 1 }

  /// Whether frames like these can be encoded anew: of 8 bits, 4:2:0 and the profile main, and none
  /// as two fields.
  var isEncodedHere: Bool {
    units(HEVCParameterSet.sequence).allSatisfy(HEVCParameterSet.isMain)
  }

  /// How many frames at most come before one that is presented earlier.
  var reorderedFrames: Int? {
    units(HEVCParameterSet.sequence).compactMap(HEVCParameterSet.reorderedFrames(of:)).max()
  }

  /// The numbers that other frames of the stream may have for all of their sets.
  var freeIdentifiers: [Int] {
    (0..<8).filter { number in
      HEVCParameterSet.types.allSatisfy { type in
        let taken = HEVCParameterSet.identifier(number, of: type)
        return !units(type).contains { HEVCParameterSet.identifier(of: $0) == taken }
      }
    }
  }

  /// The same with other numbers for its sets, of which there must be one of each kind; `nil` where
  /// there are more.
  func numbered(_ number: Int) -> HEVCConfiguration? {
    var changed = self
    changed.arrays = []
    for type in HEVCParameterSet.types {
      guard let unit = units(type).first, units(type).count == 1,
        let other = HEVCParameterSet.numbered(unit, number)
      else { return nil }
      changed.arrays.append(Sets(header: 0x80 | type, units: [other]))
    }
    return changed
  }

  /// With the parameter sets of another one beside its own, for samples of both in one track; `nil`
  /// where their sets have the same numbers, or their units are framed otherwise.
  func joined(with other: HEVCConfiguration) -> HEVCConfiguration? {
    guard let head = head(with: other.head) else { return nil }
    var joined = self
    joined.head = head
    for type in HEVCParameterSet.types {
      let added = other.units(type)
      let own = Set(units(type).map(HEVCParameterSet.identifier(of:)))
      guard own.isDisjoint(with: added.map(HEVCParameterSet.identifier(of:))),
        let place = joined.arrays.firstIndex(where: { $0.type == type }),
        joined.arrays[place].units.count + added.count < 1 << 16
      else { return nil }
      joined.arrays[place].units += added
    }
    return joined
  }

  /// What holds for the frames of both: the higher level, and the promises that both make.
  private func head(with other: [UInt8]) -> [UInt8]? {
    // The profile, the format and the depth of colours, and the lengths of units.
    guard (head[1] ^ other[1]) & 0xdf == 0, head[16...18] == other[16...18],
      (head[21] ^ other[21]) & 3 == 0
    else { return nil }
    var joined = head
    joined[1] |= other[1] & 0x20
    for place in 2..<12 { joined[place] &= other[place] }
    joined[12] = max(head[12], other[12])
    // How pictures are divided, and how many come in a second, are only said where it is known.
    joined.replaceSubrange(13...15, with: [0xf0, 0, 0xfc])
    joined.replaceSubrange(19...20, with: [0, 0])
    let layers = max(head[21] & 0x38, other[21] & 0x38)
    joined[21] = layers | head[21] & other[21] & 4 | head[21] & 3
    return joined
  }
}

extension HEVCConfiguration {
  /// Whether decoding can begin with a sample, so that frames from it on need none from before it,
  /// but for those that are presented before it.
  func beginsSequence(_ sample: [UInt8]) -> Bool {
    let types = SampleUnits(of: sample).all.map(HEVCParameterSet.type)
    return types.first { $0 < 32 }.map { (16...21).contains($0) } ?? false
  }

  /// Whether all parameter sets that a sample has are these.
  func hasSets(of sample: [UInt8]) -> Bool {
    SampleUnits(of: sample).all.allSatisfy { unit in
      !HEVCParameterSet.types.contains(HEVCParameterSet.type(unit)) || hasSet(unit)
    }
  }

  private func hasSet(_ unit: ArraySlice<UInt8>) -> Bool {
    units(HEVCParameterSet.type(unit)).contains { $0[...] == unit }
  }

  /// A sample of the file with which what is copied of it begins. It has no parameter sets of its own;
  /// and where frames that need others from before it could follow, it says that they don't, so that
  /// decoders count its frames anew (ITU-T H.265, 8.1.3): a clean random access becomes a broken link.
  func beginning(_ sample: [UInt8]) -> [UInt8] {
    SampleUnits(of: sample).sample { unit in
      let type = HEVCParameterSet.type(unit)
      guard !HEVCParameterSet.types.contains(type) else { return nil }
      guard let first = unit.first, type == 21 else { return Array(unit) }
      return [first & 0x81 | 18 << 1] + unit.dropFirst()
    }
  }

  /// A sample of the file without sets that are those of the configuration.
  func withoutKnownSets(_ sample: [UInt8]) -> [UInt8] {
    SampleUnits(of: sample).sample { hasSet($0) ? nil : Array($0) }
  }

  /// A sample of frames that were encoded, which need the sets of ``numbered(_:)``; `nil` where they need
  /// other sets than those numbered 0.
  func encoded(_ sample: [UInt8], number: Int) -> [UInt8]? {
    var isWhole = true
    let changed = SampleUnits(of: sample).sample { unit in
      let type = HEVCParameterSet.type(unit)
      guard type < 32 else { return HEVCParameterSet.types.contains(type) ? nil : Array(unit) }
      let slice = HEVCParameterSet.slice(unit, number)
      if slice == nil { isWhole = false }
      return slice
    }
    return isWhole ? changed : nil
  }
}
