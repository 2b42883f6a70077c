import ArgumentParser
import GraphKit

/// How `graphctl waveform` reduces audio.
struct ReductionOptions: ParsableArguments {
  /// Samples a point, or as many as fill a picture.
  enum Zoom: Equatable, ExpressibleByArgument {
    case auto
    case samples(Int)

    init?(argument: String) {
      if argument == "auto" {
        self = .auto
      } else if let samples = Int(argument), samples > 0 {
        self = .samples(samples)
      } else {
        return nil
      }
    }
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Samples a point; auto fills the picture. By default 256, and auto for pictures.",
      valueName: "samples"))
  var zoom: Zoom?

  @Option(help: ArgumentHelp("Points a second.", valueName: "number"))
  var pixelsPerSecond: Double?

  @Option(help: ArgumentHelp("How many points in all.", valueName: "number"))
  var points: Int?

  @Option(name: .shortAndLong, help: "Bits of a value in data files: 8 or 16.")
  var bits: Int?

  @Option(name: .shortAndLong, help: ArgumentHelp("Where to start.", valueName: "seconds"))
  var start = 0.0

  @Option(name: .shortAndLong, help: ArgumentHelp("Where to end.", valueName: "seconds"))
  var end: Double?

  @Flag(help: "Reduce each channel, and not their mean.") var splitChannels = false

  @Option(help: "What a point says: minMax, peak, rms or mean.")
  var reduce = PeakReduction.minMax

  @Option(help: ArgumentHelp("The version of .dat files: 1 or 2.", valueName: "version"))
  var datVersion: Int?

  /// Looks at what only the command line can say wrong; the graph's checks find the rest.
  func validate(isPicture: Bool) throws {
    for (name, value) in [("start", start), ("end", end), ("pixels-per-second", pixelsPerSecond)]
    where value?.isFinite == false {
      throw ValidationError("--\(name) takes a number, and not \(value ?? 0)")
    }
    if let time = [start, end ?? 0].first(where: { $0 < 0 }) {
      throw ValidationError("--start and --end count from 0, the start of the audio, not \(time)")
    }
    if zoom == .auto, !isPicture {
      throw ValidationError("--zoom auto fills a picture; give --points for data")
    }
    if isPicture, bits != nil || datVersion != nil {
      throw ValidationError("--bits and --dat-version are for data files")
    }
    let sizes = [zoom.map { $0 != .auto } ?? false, pixelsPerSecond != nil, points != nil]
    guard sizes.count(where: \.self) <= 1 else {
      throw ValidationError("give one of --zoom, --pixels-per-second and --points")
    }
  }

  /// Whether all points are to fill a picture, however many there are.
  var fills: Bool { (zoom ?? .auto) == .auto && pixelsPerSecond == nil }

  /// The length of points, where anything says it.
  var size: (name: String, value: JSONTree)? {
    if case .samples(let samples) = zoom {
      return ("samplesPerPixel", JSONTree(number: Double(samples)))
    }
    if let pixelsPerSecond { return ("pixelsPerSecond", JSONTree(number: pixelsPerSecond)) }
    return points.map { ("points", JSONTree(number: Double($0))) }
  }

  /// The part of the audio.
  var part: [(String, JSONTree)] {
    (start > 0 ? [("startAt", JSONTree(number: start))] : [])
      + (end.map { [("endAt", JSONTree(number: $0))] } ?? [])
  }
}

extension PeakReduction: ExpressibleByArgument {}

extension ReductionOptions {
  /// As where nothing is given, for who sets it without a parser: what isn't set can't be read.
  static var unset: Self {
    var options = Self()
    (options.zoom, options.pixelsPerSecond, options.points) = (nil, nil, nil)
    (options.bits, options.datVersion) = (nil, nil)
    (options.start, options.end) = (0, nil)
    (options.splitChannels, options.reduce) = (false, .minMax)
    return options
  }
}
