import Testing

/// A frame of a movie as ffmpeg decodes it: three bytes a pixel.
struct Still {
  let bytes: [UInt8]
  let width: Int

  init(of movie: String, width: Int, at seconds: Double = 0, in folder: Folder) async throws {
    try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-ss", "\(seconds)", "-i", movie, "-frames:v", "1", "-pix_fmt",
        "rgb24", "-f", "rawvideo", "still.rgb",
      ], in: folder.url)
    bytes = Array(try folder.data("still.rgb"))
    self.width = width
    try #require(!bytes.isEmpty && bytes.count % (3 * width) == 0)
  }

  init(bytes: [UInt8], width: Int) {
    self.bytes = bytes
    self.width = width
  }

  var height: Int { bytes.count / 3 / width }

  /// How far the channels of pixels are apart, in the mean: 0 for gray.
  var color: Double {
    let spreads = stride(from: 0, to: bytes.count, by: 3).map { place in
      let pixel = bytes[place..<place + 3]
      return Double(pixel.max()!) - Double(pixel.min()!)
    }
    return spreads.reduce(0, +) / Double(spreads.count)
  }

  func brightness(_ columns: Range<Int>, _ rows: Range<Int>) -> Double {
    let values = rows.flatMap { row in
      columns.map { Double(bytes[(row * width + $0) * 3 + 1]) }
    }
    return values.reduce(0, +) / Double(values.count)
  }

  /// How many pixels of a rectangle are of some kind, by their red, green and blue.
  func count(
    _ columns: Range<Int>, _ rows: Range<Int>, _ body: (Int, Int, Int) -> Bool
  ) -> Int {
    rows.reduce(0) { sum, row in
      sum
        + columns.count { column in
          let place = (row * width + column) * 3
          return body(Int(bytes[place]), Int(bytes[place + 1]), Int(bytes[place + 2]))
        }
    }
  }
}
