/// An image of an animated GIF: what of a frame differs from the one before it, in colours of its own.
struct GIFImage {
  /// The frame's size.
  let width: Int
  let height: Int
  /// Red, green, blue and alpha of the frame's pixels.
  let pixels: [UInt8]
  /// How many colours the image may have, with the transparent one.
  var colorCount = 256
  /// Whether the error of a pixel is passed on to those beside it.
  var dithers = true

  /// Whether some of the pixels are transparent.
  var isTransparent: Bool {
    stride(from: 3, to: pixels.count, by: 4).contains { pixels[$0] < 128 }
  }

  /// The image's blocks, as they follow the graphic control extension (GIF89a, 20 to 22), and the
  /// number of the transparent colour; `nil` where nothing differs from `old`. Without `old`, the
  /// image is the whole frame.
  func blocks(after old: [UInt8]?) -> (bytes: [UInt8], transparent: UInt8)? {
    guard let area = area(unlike: old) else { return nil }
    var histogram = ColorHistogram()
    forEach(in: area) { place in
      guard isDrawn(place, old) else { return }
      histogram.add(Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]))
    }
    var palette = ColorPalette(of: histogram, most: colorCount - 1)
    let transparent = palette.colors.count
    let numbers = numbers(in: area, &palette, transparent, old)
    let depth = max(1, Int.bitWidth - transparent.leadingZeroBitCount)
    var bytes: [UInt8] = [0x2c]
    for number in [area.left, area.top, area.width, area.height] { bytes.append(number: number) }
    bytes.append(0x80 | UInt8(depth - 1))
    for index in 0..<1 << depth {
      let color = index < palette.colors.count ? palette.colors[index] : (red: 0, green: 0, blue: 0)
      bytes += [UInt8(color.red), UInt8(color.green), UInt8(color.blue)]
    }
    bytes += GIFPacker.pack(numbers, depth: depth)
    return (bytes, UInt8(transparent))
  }

  private struct Area {
    var left = Int.max
    var top = Int.max
    var right = -1
    var bottom = -1
    var width: Int { right - left + 1 }
    var height: Int { bottom - top + 1 }
  }

  private func isDrawn(_ place: Int, _ old: [UInt8]?) -> Bool {
    guard pixels[place + 3] >= 128 else { return false }
    guard let old, old[place + 3] >= 128 else { return true }
    return (0..<3).contains { pixels[place + $0] != old[place + $0] }
  }

  /// The smallest area with all pixels that differ.
  private func area(unlike old: [UInt8]?) -> Area? {
    guard old != nil else { return Area(left: 0, top: 0, right: width - 1, bottom: height - 1) }
    var area = Area()
    for y in 0..<height {
      for x in 0..<width where isDrawn((y * width + x) * 4, old) {
        (area.left, area.right) = (min(area.left, x), max(area.right, x))
        (area.top, area.bottom) = (min(area.top, y), y)
      }
    }
    return area.right < 0 ? nil : area
  }

  private func forEach(in area: Area, _ body: (Int) -> Void) {
    for y in area.top...area.bottom {
      for x in area.left...area.right { body((y * width + x) * 4) }
    }
  }

  /// The numbers of the pixels' colours. What the nearest colour is off is passed on to the pixels
  /// beside and below (Floyd and Steinberg, 1976).
  private func numbers(
    in area: Area, _ palette: inout ColorPalette, _ transparent: Int, _ old: [UInt8]?
  ) -> [UInt8] {
    var numbers: [UInt8] = []
    numbers.reserveCapacity(area.width * area.height)
    var (here, below) = (ErrorRow(area.width), ErrorRow(area.width))
    for y in area.top...area.bottom {
      for x in 0..<area.width {
        let place = (y * width + area.left + x) * 4
        guard isDrawn(place, old) else {
          numbers.append(UInt8(transparent))
          continue
        }
        let wanted = here.color(at: x, pixels, place)
        let index = palette.index(wanted.0, wanted.1, wanted.2)
        numbers.append(UInt8(index))
        guard dithers else { continue }
        let color = palette.colors[index]
        let error = (wanted.0 - color.red, wanted.1 - color.green, wanted.2 - color.blue)
        here.add(error, 7, at: x + 1)
        below.add(error, 3, at: x - 1)
        below.add(error, 5, at: x)
        below.add(error, 1, at: x + 1)
      }
      (here, below) = (below, ErrorRow(area.width))
    }
    return numbers
  }
}

/// What is passed on to the pixels of a row, in sixteenths.
private struct ErrorRow {
  private var values: [Int]

  init(_ width: Int) { values = [Int](repeating: 0, count: 3 * (width + 2)) }

  mutating func add(_ error: (Int, Int, Int), _ weight: Int, at x: Int) {
    let place = 3 * (x + 1)
    values[place] += error.0 * weight
    values[place + 1] += error.1 * weight
    values[place + 2] += error.2 * weight
  }

  func color(at x: Int, _ pixels: [UInt8], _ place: Int) -> (Int, Int, Int) {
    func value(_ channel: Int) -> Int {
      min(max(Int(pixels[place + channel]) + values[3 * (x + 1) + channel] / 16, 0), 255)
    }
    return (value(0), value(1), value(2))
  }
}

extension [UInt8] {
  /// Adds a number of two bytes, the lower one first.
  mutating func append(number: Int) {
    self += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }
}
