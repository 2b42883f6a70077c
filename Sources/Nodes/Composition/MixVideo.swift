import GraphKit

/// Puts pictures into pictures.
///
/// The first input is the ground: each of its frames leaves, at its time and in its size, with the
/// pictures that the other inputs show at that time on top of it. So the mix has the first one's
/// frame rate, and ends with it; another input may begin later, end earlier and have any frame
/// rate and size. A frame leaves when it is known what all inputs show at its time; an input that
/// is further than the others waits in its wire.
public struct MixVideo: SwiftNode {
  /// For each input by its name (`in.2`), its place: `x`, `y`, `width`, `height` in pixels,
  /// `opacity` from 0 to 1, and `z`, which orders those that overlap; how its colours are blended with
  /// those below (`blend`); and the `radius` of its corners and the `border` inside of its edges, in
  /// pixels, with its `borderColor`. Where chroma has half of the
  /// columns and rows (I420, NV12), `x` and `y` are rounded down to even pixels, so that luma and
  /// chroma stay together.
  public var places: [String: JSONValue] = [:]

  private var inputs: [Input] = []
  private var ground = FrameQueue()
  private var announced: FormatDescription?
  private var hasFinished = false

  private struct Input: Sendable {
    var name: String
    var queue = FrameQueue()
    var fitted = FittedPictures()
  }

  /// A mix whose places are to be given.
  public init() {}

  public static let declaration = NodeDeclaration<MixVideo>(
    "mixVideo", role: .effect, help: "Composes several videos into one picture.",
    example: "inset -> mixVideo.in.2",
    parameters: [
      .object(
        "places", \.places, live: true,
        help:
          #"Where inputs are, and how: { "in.2": { "x", "y", "width", "height", "opacity", "z", "#
          + #""blend", "radius", "border", "borderColor" } }; in I420 and NV12, x and y are even."#)
    ])

  /// Any number of inputs, one output.
  public struct Ports: PortSet {
    /// The pictures.
    public let input = InputPort<Video>(
      "in", .video(PixelFormat.planar), isRepeatable: true,
      help: "The ground; `in.2` and further ones lie on top of it, opaque whatever their alpha.")
    /// The mix.
    public let output = OutputPort<Video>(
      "out", .video(PixelFormat.planar), follows: "in", help: "The mix, as the ground is.")
  }

  public static let ports = Ports()

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public var problem: NodeError? {
    do {
      for (name, value) in places.sorted(by: { $0.key < $1.key }) {
        guard name.hasPrefix("in."), Int(name.dropFirst(3)) != nil else {
          throw NodeError(
            "`\(name)` has no place", remedy: "name inputs above the ground: in.2, in.3",
            key: "places.\(name)")
        }
        _ = try PicturePlace(value, of: name)
      }
      return nil
    } catch {
      return error as? NodeError
    }
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    let unwired = places.keys.filter { formats[$0] == nil }.min()
    return unwired.map {
      NodeError(
        "`\($0)` has a place, and nothing is wired to it",
        remedy: "wire something to `\($0)`, or leave its place out", key: "places.\($0)")
    }
  }

  public mutating func settle(formats: [String: FormatConstraint]) {
    let numbers = formats.keys.compactMap { name in
      name == "in" ? 1 : name.hasPrefix("in.") ? Int(name.dropFirst(3)) : nil
    }
    inputs = numbers.sorted().dropFirst().map { Input(name: "in.\($0)") }
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    // Nothing is drawn after the end of the ground, however long the others go on.
    if hasFinished { throw FlowStopped.enough }
    if input == 0 {
      ground.append(HeldFrame(sample))
    } else if inputs.indices.contains(input - 1) {
      inputs[input - 1].queue.append(HeldFrame(sample))
    }
    try mixAll(to: outputs)
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    if input == 0 {
      ground.hasEnded = true
    } else if inputs.indices.contains(input - 1) {
      inputs[input - 1].queue.hasEnded = true
    }
    try mixAll(to: outputs)
  }

  private mutating func mixAll(to outputs: NodeOutputs) throws {
    while let time = ground.frames.first?.time, inputs.allSatisfy({ $0.queue.isDecided(at: time) })
    {
      guard let held = ground.popFirst() else { break }
      try mix(held, to: outputs)
    }
    guard ground.hasEnded, ground.frames.isEmpty, !hasFinished else { return }
    hasFinished = true
    for index in inputs.indices { inputs[index].queue.removeAll() }
  }

  private mutating func mix(_ held: consuming HeldFrame, to outputs: NodeOutputs) throws {
    var result = held.sample.share()
    let time = held.time
    // Gone, the frame is the only reference to its pixels, unless others hold them too.
    _ = consume held
    let format = result.format
    do {
      guard case .video(let ground) = format.format else { return }
      var drawn: [(picture: HeldFrame, place: PicturePlace, z: Int)] = []
      for index in inputs.indices {
        guard let shown = inputs[index].queue.frame(at: time),
          case .video(let video) = shown.sample.format.format
        else { continue }
        let name = inputs[index].name
        let place = try places[name].map { try PicturePlace($0, of: name) } ?? PicturePlace()
        guard place.opacity > 0 else { continue }
        let size = place.size(of: video, in: ground)
        let picture = try inputs[index].fitted.picture(
          shown, like: format, width: size.width, height: size.height, stretches: true)
        drawn.append((picture, place, place.z ?? index))
      }
      if !drawn.isEmpty {
        var frame = try result.videoFrame()
        // Of those at one height the later input is on top: sorting keeps their order.
        for item in drawn.sorted(by: { $0.z < $1.z }) {
          try LayeredPicture(item.picture, at: item.place)?.draw(on: &frame)
        }
      }
    }
    if announced !== format {
      announced = format
      try outputs.announce(format, on: 0)
    }
    try outputs.send(result)
  }
}

extension VideoFrame {
  /// Draws a picture of the same pixel format at a place.
  mutating func draw(
    _ held: HeldFrame, at place: (x: Int, y: Int), _ opacity: Double
  ) throws(NodeError) {
    guard case .video(let video) = held.sample.format.format else { return }
    let whole = PictureRect(width: video.width, height: video.height)
    try draw(held, whole, at: place, opacity: opacity)
  }

  /// Draws a part of a picture of the same pixel format at a place.
  mutating func draw(
    _ held: HeldFrame, _ part: PictureRect, at place: (x: Int, y: Int), opacity: Double
  ) throws(NodeError) {
    let weight = Int((opacity * 256).rounded())
    if weight >= 256 {
      try copy(part, of: held.sample, x: place.x, y: place.y)
    } else {
      try blend(part, of: held.sample, x: place.x, y: place.y, weight: weight)
    }
  }
}
