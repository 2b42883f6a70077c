import GraphKit

/// The table of a `.cube` file ("Cube LUT Specification", version 1.0, Adobe 2013).
struct CubeTable: Sendable {
  private var isCube = false
  private var byteCount = 0
  private var size = 0
  private var low = RGB.zero
  private var high = RGB.one
  private var colors: [RGB] = []

  /// The largest files that programs write hold 129 colours a side.
  private static let mostBytes = 256 << 20

  /// Reads a file, and checks that it holds what its head says.
  init(_ path: String) throws(NodeError) {
    let file = try InputFile(path)
    guard file.byteCount <= Self.mostBytes else { throw Self.error(path, nil, "is too large") }
    byteCount = file.byteCount
    var number = 0
    var rest = try file.bytes(at: 0, count: file.byteCount)[...]
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if rest.starts(with: mark) { rest = rest.dropFirst(mark.count) }
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      number += 1
      try read(String(decoding: line, as: UTF8.self), of: path, number)
    }
    try check(path)
  }

  private mutating func read(
    _ line: String, of path: String, _ number: Int
  ) throws(NodeError) {
    let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard let first = words.first, !first.hasPrefix("#") else { return }
    switch first {
    case "TITLE": return
    case "LUT_1D_SIZE", "LUT_3D_SIZE":
      isCube = first == "LUT_3D_SIZE"
      guard words.count == 2, size == 0, let count = Int(words[1]),
        (2...(isCube ? 256 : 65_536)).contains(count)
      else { throw Self.error(path, number, "has a size that isn't one") }
      size = count
      // No colour takes less than 6 bytes, so that a short file can't ask for much.
      colors.reserveCapacity(min(wanted, byteCount / 6))
    case "DOMAIN_MIN": low = try Self.color(words.dropFirst(), path, number)
    case "DOMAIN_MAX": high = try Self.color(words.dropFirst(), path, number)
    case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE": try readRange(words, path, number)
    default:
      colors.append(try Self.color(words[...], path, number))
      guard size > 0, colors.count <= wanted else {
        throw Self.error(path, number, "has more colours than its size says")
      }
    }
  }

  /// What some programs write in place of the domain: its ends, for all channels.
  private mutating func readRange(
    _ words: [Substring], _ path: String, _ number: Int
  ) throws(NodeError) {
    guard words.count == 3, let low = Float(words[1]), let high = Float(words[2]) else {
      throw Self.error(path, number, "has a range that isn't two numbers")
    }
    (self.low, self.high) = (RGB(repeating: low), RGB(repeating: high))
  }

  private static func color(
    _ words: ArraySlice<Substring>, _ path: String, _ number: Int
  ) throws(NodeError) -> RGB {
    let values = words.compactMap { Float($0) }
    guard words.count == 3, values.count == 3, values.allSatisfy(\.isFinite) else {
      throw error(path, number, "isn't three numbers or a word of the format")
    }
    return RGB(values[0], values[1], values[2])
  }

  private var wanted: Int { isCube ? size * size * size : size }

  private func check(_ path: String) throws(NodeError) {
    guard size > 0 else {
      throw Self.error(path, nil, "has neither LUT_1D_SIZE nor LUT_3D_SIZE")
    }
    guard colors.count == wanted else {
      throw Self.error(path, nil, "has \(colors.count) colours and not \(wanted)")
    }
    guard all(high .> low) else { throw Self.error(path, nil, "has an empty domain") }
  }

  private static func error(_ path: String, _ line: Int?, _ what: String) -> NodeError {
    NodeError(
      "`\(path)`\(line.map { ", line \($0)," } ?? "") \(what)",
      remedy: "give a whole .cube file, as grading programs export it", key: "path")
  }

  // MARK: Looking up

  /// What a colour becomes; colours outside of the domain become what its edge does.
  func callAsFunction(_ color: RGB) -> RGB {
    let fraction = ((color - low) / (high - low)).clamped(lowerBound: .zero, upperBound: .one)
    // What isn't a number is as good as black.
    let place = fraction.replacing(with: 0, where: fraction .!= fraction) * Float(size - 1)
    let limit = RGB(repeating: Float(max(0, size - 2)))
    let corner = place.rounded(.down).clamped(lowerBound: .zero, upperBound: limit)
    return isCube ? inCube(corner, place - corner) : inRows(corner, place - corner)
  }

  private func inRows(_ corner: RGB, _ fraction: RGB) -> RGB {
    var result = RGB.zero
    for channel in 0..<3 {
      let index = Int(corner[channel])
      let (a, b) = (colors[index][channel], colors[index + 1][channel])
      result[channel] = a + (b - a) * fraction[channel]
    }
    return result
  }

  /// From the corner to its opposite, a step along each axis, that of the largest fraction first.
  private func inCube(_ corner: RGB, _ fraction: RGB) -> RGB {
    let steps = SIMD3(1, size, size * size)
    var index = (SIMD3<Int>(corner) &* steps).wrappedSum()
    var result = colors[index]
    for axis in [0, 1, 2].sorted(by: { fraction[$0] > fraction[$1] }) {
      let next = index + steps[axis]
      result += (colors[next] - colors[index]) * fraction[axis]
      index = next
    }
    return result
  }
}
