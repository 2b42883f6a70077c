/// The markers of a JPEG file (ITU-T T.81, annex B).
enum JPEGMarkers {
  /// Whether a picture goes on to its end marker: decoders make gray of what is missing.
  static func areWhole(_ bytes: [UInt8]) -> Bool {
    var offset = 2
    while let next = bytes[min(offset, bytes.count)...].firstIndex(of: 0xFF),
      next + 1 < bytes.count
    {
      offset = next + 2
      switch bytes[next + 1] {
      case 0xD9: return true
      // Of data, restarts, and what stands alone; a marker may have more than one 0xFF before it.
      case 0x00, 0x01, 0xD0...0xD8: continue
      case 0xFF: offset = next + 1
      default:
        guard next + 3 < bytes.count else { return false }
        offset = next + 2 + (Int(bytes[next + 2]) << 8 | Int(bytes[next + 3]))
      }
    }
    return false
  }

  /// What is wrong with how a picture's colours lie, such that they can't be decoded: GStreamer has no
  /// name for such pixels. `nil` where they can, and where there is no frame.
  static func samplingProblem(_ bytes: Span<UInt8>) -> String? {
    let header = JPEGHeader(bytes)
    switch header.factors.count {
    case 3 where header.samplings == [[1, 2], [1, 1], [1, 1]]: return "has its colours as 4:4:0"
    case 3 where unnamed.contains(header.samplings): return "has its colours as 4:1:1 or rarer"
    // Colours for print that aren't coded as light and colour become red, green, blue and alpha.
    case 4 where header.adobeTransform != 0: return "has four components, as for print"
    default: return nil
    }
  }

  /// The size of a picture; `nil` where there is no frame.
  static func size(_ bytes: Span<UInt8>) -> (width: Int, height: Int)? { JPEGHeader(bytes).size }

  /// How often components have a sample, across and down, where libav makes pixels that have no name.
  private static let unnamed: [[[Int]]] = [
    [[1, 4], [1, 1], [1, 1]], [[1, 4], [1, 2], [1, 2]], [[2, 2], [2, 1], [1, 1]],
    [[2, 2], [1, 1], [2, 1]], [[4, 1], [1, 1], [1, 1]],
  ]
}

/// What the headers of a JPEG picture say of its components.
private struct JPEGHeader {
  /// How often each has a sample, across and down, by the first frame's header (B.2.2).
  private(set) var factors: [(across: Int, down: Int)] = []
  /// In pixels, by the same header.
  private(set) var size: (width: Int, height: Int)?
  /// How Adobe's marker says that four components are coded; `nil` without one.
  private(set) var adobeTransform: UInt8?

  init(_ bytes: Span<UInt8>) {
    guard bytes.count > 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return }
    var place = 2
    while place + 15 < bytes.count, bytes[place] == 0xFF {
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      switch bytes[place + 1] {
      // A marker may have more than one of these before it.
      case 0xFF:
        place += 1
        continue
      case 0xEE where (0..<5).allSatisfy { bytes[place + 4 + $0] == Self.adobe[$0] }:
        adobeTransform = bytes[place + 15]
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF:
        readFrame(bytes, at: place)
        return
      // The samples come before any frame's header, or the picture ends.
      case 0xD8, 0xD9, 0xDA: return
      default: break
      }
      place += 2 + length
    }
  }

  private static let adobe = Array("Adobe".utf8)

  private mutating func readFrame(_ bytes: Span<UInt8>, at place: Int) {
    func number(_ offset: Int) -> Int {
      Int(bytes[place + offset]) << 8 | Int(bytes[place + offset + 1])
    }
    size = (number(7), number(5))
    let count = Int(bytes[place + 9])
    guard place + 10 + 3 * count <= bytes.count else { return }
    factors = (0..<count).map { component in
      let factors = bytes[place + 11 + 3 * component]
      return (Int(factors >> 4), Int(factors & 15))
    }
  }

  /// The same, halved where all of one direction are two.
  var samplings: [[Int]] {
    let (across, down) = (factors.map(\.across), factors.map(\.down))
    func halved(_ all: [Int]) -> [Int] { all.allSatisfy { $0 == 2 } ? all.map { $0 / 2 } : all }
    return zip(halved(across), halved(down)).map { [$0, $1] }
  }
}
