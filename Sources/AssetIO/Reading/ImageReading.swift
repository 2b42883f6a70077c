import GraphKit
import GraphKitSystem

/// The images of some times, each read when it is asked for.
actor ImageReading {
  typealias Image = AssetImageGenerator.Image

  private let generator: AssetImageGenerator
  private let times: [MediaTime]
  /// The passes that are left; `nil` before the first image.
  private var passes: ArraySlice<[ImagePass.Moment]>?
  private var pass: ImagePass?
  private var isOver = false

  init(_ generator: AssetImageGenerator, _ times: [MediaTime]) {
    (self.generator, self.times) = (generator, times)
  }

  /// The next image; `nil` at the end, and after an error.
  func next() async throws -> Image? {
    guard !isOver else { return nil }
    do {
      while true {
        if let image = pass?.takeImage() { return image }
        guard try await advance() else { break }
      }
    } catch {
      end()
      throw error
    }
    end()
    return nil
  }

  private func end() { (isOver, pass, passes) = (true, nil, []) }

  /// Reads another frame, of the next pass where one is over; `false` where none is left.
  private func advance() async throws -> Bool {
    try Task.checkCancellation()
    if let frames = pass?.frames {
      let frame = try await frames.next()
      try pass?.take(frame)
      return true
    }
    if passes == nil { passes = try planned()[...] }
    guard let moments = passes?.popFirst() else { return false }
    pass = try ImagePass(moments, generator)
    return true
  }

  /// How far apart times may be that one pass decodes.
  private static let passLength = MediaTime(value: 10, timescale: 1)

  private func planned() throws(NodeError) -> [[ImagePass.Moment]] {
    if let odd = times.first(where: { !$0.isNumeric }) {
      throw NodeError(
        "`\(odd.seconds)` is no time of a movie", remedy: "ask for images at times that are numbers"
      )
    }
    let times = times.sorted()
    // What is between two key frames isn't decoded.
    if let keyFrames = generator.nearKeyFrames {
      return times.map { time in
        let near = keyFrames.nearest(
          to: time, from: time - generator.requestedTimeToleranceBefore,
          upTo: time + generator.requestedTimeToleranceAfter)
        return [ImagePass.Moment(requested: time, sought: near ?? time)]
      }
    }
    var (passes, rest) = ([[ImagePass.Moment]](), times[...])
    while let first = rest.first {
      let pass = rest.prefix { $0 - first <= Self.passLength }
      passes.append(pass.map { ImagePass.Moment(requested: $0, sought: $0) })
      rest = rest.dropFirst(pass.count)
    }
    return passes
  }
}

/// The images of one pass over a file: for each time the last frame that isn't after it.
struct ImagePass {
  /// A time that was asked for, and that of which the frame is looked for.
  struct Moment {
    let requested: MediaTime
    let sought: MediaTime
  }

  private let generator: AssetImageGenerator
  private let reader: AssetReader
  private let provider: SampleProvider
  private var waiting: ArraySlice<Moment>
  private var shown: ReadySampleBuffer?
  /// Images that haven't been taken.
  private var images: ArraySlice<AssetImageGenerator.Image> = []

  /// A pass for some times, in their order.
  init(_ moments: [Moment], _ generator: AssetImageGenerator) throws {
    (self.generator, waiting) = (generator, moments[...])
    if let first = moments.first { try generator.check(first.requested) }
    (reader, provider) = try generator.reader(from: moments.first?.sought ?? .zero)
  }

  /// Where frames come from; `nil` where none is needed any more.
  var frames: SampleProvider? { waiting.isEmpty ? nil : provider }

  mutating func takeImage() -> AssetImageGenerator.Image? { images.popFirst() }

  /// Takes the next frame; `nil` at the end. Throws where there is none for a time.
  mutating func take(_ next: ReadySampleBuffer?) throws {
    try give(before: next?.presentationTime ?? shown?.end ?? .zero)
    if let next {
      shown = next
      // Where it is wanted itself, none after it need be decoded.
      if let first = waiting.first, next.presentationTime.isSameMoment(as: first.sought) {
        try give(before: next.end)
      }
    } else if let moment = waiting.first {
      throw generator.missing(moment.requested)
    }
    if waiting.isEmpty { reader.cancelReading() }
  }

  /// Video that begins so much later than its file is there from the file's beginning on.
  private static let latestBeginning = MediaTime(value: 1, timescale: 1)

  private mutating func give(before end: MediaTime) throws(NodeError) {
    while let moment = waiting.first, let frame = shown, moment.sought < end,
      !moment.sought.isSameMoment(as: end)
    {
      let time = frame.presentationTime
      let latest = max(
        moment.sought, moment.requested + generator.requestedTimeToleranceAfter,
        Self.latestBeginning)
      guard time <= latest || time.isSameMoment(as: latest) else {
        throw generator.missing(moment.requested, first: generator.exact(time))
      }
      images.append(
        AssetImageGenerator.Image(
          requestedTime: moment.requested,
          actualTime: time.isSameMoment(as: moment.sought) ? moment.sought : generator.exact(time),
          frame: frame))
      waiting.removeFirst()
    }
  }
}

extension MediaTime {
  /// Whether two times are one but for what both were rounded by: samples have theirs in nanoseconds.
  func isSameMoment(as other: MediaTime) -> Bool {
    let rounding = MediaTime(value: 20, timescale: 1_000_000_000)
    return self < other + rounding && other < self + rounding
  }
}

extension ReadySampleBuffer {
  /// When the frame is gone.
  fileprivate var end: MediaTime {
    duration.isNumeric ? presentationTime + duration : presentationTime
  }
}
