import GStreamer
import Kernels

/// Point effects that stand next to each other, as one: what a plan has them run by.
///
/// It is the first of them in the plan, and takes the live changes of all; the others hand on what
/// it has done.
public struct ColorChain: SwiftNode {
  public private(set) var members: [NodeMember] = []
  private var format: VideoFormat?
  private var program: ColorProgram?
  private var isStale = true

  public init() {}

  /// A chain of nodes that are point effects, in their order.
  package init(_ members: [NodeMember]) { self.members = members }

  public static let declaration = NodeDeclaration<ColorChain>(
    "colorChain", role: .effect, help: "Point effects that are run as one.", example: "")

  public static let ports = EffectPorts<Video>(.video([.i420, .nv12, .bgra, .rgba]))

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    self.format = video
    isStale = true
    try outputs.announce(format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try outputs.send(currentProgram().result(on: sample))
  }

  private mutating func currentProgram() throws -> ColorProgram {
    if let program, !isStale { return program }
    guard let format else {
      throw NodeError("a frame came before its format", remedy: "look at what made it")
    }
    guard let layout = ColorLayout(format.pixelFormat) else {
      throw NodeError.colorless(format.pixelFormat)
    }
    let function = ColorFunction(members.compactMap(\.node.work.pointEffect), in: format)
    let program = try ColorProgram(function, layout: layout, replacing: program)
    self.program = program
    isStale = false
    return program
  }

  public mutating func set(
    _ parameter: String, to value: JSONValue, ofNode name: String, type: NodeType
  ) {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return }
    var node = members[index].node
    guard type.set(parameter, to: value, of: &node) else { return }
    members[index] = NodeMember(name, type, node)
    isStale = true
  }
}

extension ColorLayout {
  init?(_ pixelFormat: PixelFormat) {
    switch pixelFormat {
    case .i420: self = .planar
    case .nv12: self = .paired
    case .bgra, .rgba: self = .packed
    case .yuy2, .gray8: return nil
    }
  }
}
