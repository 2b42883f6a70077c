import GraphKit

/// Pictures of one size that follow each other.
struct Animation: Sendable {
  /// The pictures.
  var pictures: [Picture]
  /// When each of them is over, in nanoseconds from the start; rising.
  let ends: [Int64]
  /// How often they are shown; `nil` for ever.
  let plays: Int?

  /// The picture at a time of the animation; the last one when all plays are over.
  func index(at time: Int64, plays: Int?) -> Int {
    guard let length = ends.last, length > 0, time >= 0 else { return 0 }
    if let plays, time / length >= Int64(plays) { return pictures.count - 1 }
    let now = time % length
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > now { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Reads a file: an animated GIF or PNG, or a picture that doesn't move.
  init(_ path: String) throws(NodeError) {
    let file = try PictureFile(path)
    if file.kind == .gif {
      self = try AnimatedGIF(file.bytes, path: path).decode(with: file)
    } else if file.kind == .png, let animated = try AnimatedPNG(file.bytes, path: path) {
      self = try animated.decode(with: file)
    } else {
      self.init(pictures: [try PictureFile.picture(path)], durations: [1], plays: 1)
    }
  }

  init(pictures: [Picture], durations: [Int64], plays: Int?) {
    self.pictures = pictures
    var end: Int64 = 0
    ends = durations.prefix(pictures.count).map { duration in
      end += duration
      return end
    }
    self.plays = plays
  }

  /// The animation, larger or smaller by a factor.
  func scaled(by factor: Double) throws(NodeError) -> Animation {
    guard factor != 1 else { return self }
    var result = self
    for index in pictures.indices {
      result.pictures[index] = try pictures[index].scaled(by: factor)
    }
    return result
  }

  /// How long a picture is shown whose file says nothing, or less than screens can show: 0.1 s, as
  /// browsers do.
  static func duration(_ nanoseconds: Int64) -> Int64 {
    nanoseconds < 20_000_000 ? 100_000_000 : nanoseconds
  }
}

extension NodeError {
  /// A picture file that ends too early or says what can't be.
  static func brokenPicture(_ path: String, _ what: String) -> NodeError {
    NodeError(
      "`\(path)` \(what)", remedy: "check that the file is whole, or save it anew", key: "path")
  }
}
