import GraphKit

/// SplitMix64: the same numbers from the same seed, everywhere.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

/// A graph made up from a seed: sources, chains that fork, encoders that hold back more or less,
/// and sinks where some of it meets again.
struct RandomGraph {
  private enum Kind { case video, audio, encodedVideo, encodedAudio }

  private(set) var nodes: [String] = []
  private(set) var wires: [String] = []
  private var numbers: SeededNumbers
  private let folder: String
  /// Outputs to go on from, and whether something is wired to them already.
  private var open: [(name: String, kind: Kind, isUsed: Bool)] = []

  init(seed: UInt64, folder: String) {
    numbers = SeededNumbers(state: seed)
    self.folder = folder
    for _ in 0..<Int.random(in: 1...3, using: &numbers) { addSource() }
    for _ in 0..<Int.random(in: 1...8, using: &numbers) { addMiddle() }
    for _ in 0..<Int.random(in: 0...2, using: &numbers) { addMovie() }
    for output in open.indices where !open[output].isUsed { end(output) }
  }

  var json: String {
    let lines = nodes.joined(separator: ",\n    ")
    let words = wires.map { "\"\($0)\"" }.joined(separator: ",\n    ")
    return "{ \"nodes\": {\n    \(lines) },\n  \"wires\": [\n    \(words) ] }"
  }

  private mutating func pick<Value>(_ values: Value...) -> Value {
    values[Int.random(in: values.indices, using: &numbers)]
  }

  private mutating func add(_ type: String, _ parameters: String = "") -> String {
    let name = "n\(nodes.count)"
    let rest = parameters.isEmpty ? "" : ", \(parameters)"
    nodes.append("\"\(name)\": { \"type\": \"\(type)\"\(rest) }")
    return name
  }

  private mutating func addSource() {
    let live = pick(false, false, false, true)
    if Bool.random(using: &numbers) {
      let size = pick("\"width\": 64, \"height\": 48", "\"width\": 162, \"height\": 90")
      let name = add(
        "testVideo",
        "\(size), \"frameRate\": \(pick(15, 25, 30)), \"live\": \(live), "
          + "\"frames\": \(live ? pick(1, 9) : pick(1, 2, 31, 90)), "
          + "\"pixelFormat\": \"\(pick("i420", "nv12", "bgra"))\"")
      open.append((name, .video, false))
    } else {
      let name = add(
        "testAudio",
        "\"sampleRate\": \(pick(44_100, 48_000)), \"channels\": \(pick(1, 2)), "
          + "\"live\": \(live), \"frames\": \(live ? pick(480, 9_600) : pick(1, 1_000, 48_000, 144_000)), "
          + "\"sampleFormat\": \"\(pick("s16", "f32"))\", "
          + "\"layout\": \"\(pick("interleaved", "planar"))\"")
      open.append((name, .audio, false))
    }
  }

  private mutating func addMiddle() {
    let source = Int.random(in: open.indices, using: &numbers)
    let kind = open[source].kind
    let isPassed = Int.random(in: 0..<5, using: &numbers) == 0
    let (type, parameters, next): (String, String, Kind) =
      switch kind {
      case _ where isPassed: ("pass", "", kind)
      case .video where Bool.random(using: &numbers): ("channelMask", "\"red\": false", .video)
      case .video: ("h264Encoder", videoSettings(), .encodedVideo)
      case .audio where Bool.random(using: &numbers): ("gain", "\"decibels\": -3", .audio)
      case .audio: ("aacEncoder", "", .encodedAudio)
      case .encodedVideo: ("decoder", "\"media\": \"video\"", .video)
      case .encodedAudio: ("decoder", "", .audio)
      }
    let name = add(type, parameters)
    wire(source, to: name)
    open.append((name, next, false))
  }

  private mutating func videoSettings() -> String {
    "\"preset\": \"ultrafast\", \"lookahead\": \(pick(0, 5, 40)), "
      + "\"bFrames\": \(pick(0, 2)), \"threads\": \(pick(1, 4))"
  }

  /// A movie of some of the outputs, encoded on the way where they aren't yet.
  private mutating func addMovie() {
    let path = "\"path\": \"\(folder)/\(nodes.count).mp4\""
    let movie = add("mp4Sink", "\(path), \"seconds\": \(pick(0, 0, 0.5))")
    var (pictures, sounds) = (0, 0)
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      let output = encoded(Int.random(in: open.indices, using: &numbers))
      if open[output].kind == .encodedVideo {
        pictures += 1
        wire(output, to: "\(movie).video" + (pictures > 1 ? ".\(pictures)" : ""))
      } else {
        sounds += 1
        wire(output, to: "\(movie).audio" + (sounds > 1 ? ".\(sounds)" : ""))
      }
    }
  }

  private mutating func encoded(_ output: Int) -> Int {
    switch open[output].kind {
    case .encodedVideo, .encodedAudio: return output
    case .video:
      let name = add("h264Encoder", videoSettings())
      wire(output, to: name)
      open.append((name, .encodedVideo, false))
    case .audio:
      let name = add("aacEncoder")
      wire(output, to: name)
      open.append((name, .encodedAudio, false))
    }
    return open.count - 1
  }

  /// Gives an output that leads nowhere a sink of its own.
  private mutating func end(_ output: Int) {
    let isFile = open[output].kind == .audio && Bool.random(using: &numbers)
    wire(
      output,
      to: isFile ? add("wavSink", "\"path\": \"\(folder)/\(nodes.count).wav\"") : add("nullSink"))
  }

  private mutating func wire(_ source: Int, to target: String) {
    wires.append("\(open[source].name) -> \(target)")
    open[source].isUsed = true
  }
}
