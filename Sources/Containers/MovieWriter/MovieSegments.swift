import Media

/// The segments of a movie: the parts of its file that a playlist names.
package struct MovieSegments: Sendable {
  /// A part of the file that can be played with the head alone.
  package struct Segment: Hashable, Sendable {
    package var bytes: Range<Int>
    /// In nanoseconds.
    package var duration: Int64
  }

  /// The bytes of the `ftyp` and `moov` boxes that every segment needs; `nil` before they are
  /// written.
  package private(set) var head: Range<Int>?
  package private(set) var all: [Segment] = []
  /// When the segment begins that is being written, and where.
  private var start: (time: Int64, offset: Int)?
  /// When the key frames that those after it begin with are presented, and decoded.
  private var borders: [(presentation: Int64, decode: Int64)] = []

  /// When the first sample is decoded that isn't in the segment that is being written any more, where
  /// that is known.
  var next: Int64? { borders.first?.decode }

  /// A key frame has come: a segment begins with it, where it is the first since one of the grid's
  /// times.
  mutating func noteKeyFrame(_ sample: MovieSample, on grid: TimeGrid) {
    guard let last = borders.last?.presentation ?? start?.time else {
      return start = (sample.presentation, 0)
    }
    guard grid.cell(of: sample.presentation) > grid.cell(of: last) else { return }
    borders.append((sample.presentation, sample.decode))
  }

  /// The head is written, and the first segment begins.
  mutating func begin(head: Range<Int>) {
    self.head = head
    start?.offset = head.upperBound
  }

  /// All samples from before the next border are written.
  mutating func end(at offset: Int) {
    guard let start, !borders.isEmpty else { return }
    let border = borders.removeFirst()
    all.append(
      Segment(bytes: start.offset..<offset, duration: border.presentation &- start.time))
    self.start = (border.presentation, offset)
  }

  /// No sample follows, and the last ends at a time.
  mutating func finish(at offset: Int, _ time: Int64) {
    borders = [(time, time)]
    if let start, offset > start.offset { end(at: offset) }
  }
}
