@testable import GraphKit

/// A role as a type, so that one fake serves for all of them.
protocol RoleTag: Sendable { static var role: NodeRole { get } }
enum SourceTag: RoleTag { static let role = NodeRole.source }
enum DecoderTag: RoleTag { static let role = NodeRole.decoder }
enum EffectTag: RoleTag { static let role = NodeRole.effect }
enum EncoderTag: RoleTag { static let role = NodeRole.encoder }
enum SinkTag: RoleTag { static let role = NodeRole.sink }

/// No ports of the type's own: a fake's are its instance's.
struct NoPorts: PortSet {}

/// What every fake can be told.
protocol FakeNode: Node where Ports == NoPorts {
  var fakePorts: [PortDeclaration] { get set }
  var fakeLatency: MediaTime { get set }
  var fakeIsLive: Bool { get set }
}

extension FakeNode {
  static var ports: NoPorts { NoPorts() }
  var portDeclarations: [PortDeclaration] { fakePorts }
  var latency: MediaTime { fakeLatency }
  var traits: NodeTraits { NodeTraits(isLive: fakeIsLive) }
}

/// A node whose work elements do.
struct FakeElement<Tag: RoleTag>: FakeNode, ElementNode {
  var fakePorts: [PortDeclaration] = []
  var fakeLatency = MediaTime.zero
  /// Frames that are held back, at the rate of what comes in.
  var fakeFrames = 0
  var fakeIsLive = false

  static var declaration: NodeDeclaration<Self> {
    NodeDeclaration("fake\(Tag.role)", role: Tag.role, help: "A fake.", example: "")
  }
  func latency(formats: [String: FormatConstraint]) -> MediaTime {
    guard fakeFrames > 0, let rate = formats["in"]?.frameRate else { return fakeLatency }
    return MediaTime(value: Int64(fakeFrames * rate.denominator), timescale: Int32(rate.numerator))
  }
  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] { [] }
}

/// A node whose work is done in Swift.
struct FakeSwift<Tag: RoleTag>: FakeNode, SwiftNode {
  var fakePorts: [PortDeclaration] = []
  var fakeLatency = MediaTime.zero
  var fakeIsLive = false

  static var declaration: NodeDeclaration<Self> {
    NodeDeclaration("swift\(Tag.role)", role: Tag.role, help: "A fake.", example: "")
  }
  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {}
}

/// A source in Swift.
struct FakeProducer: FakeNode, SourceNode {
  var fakePorts: [PortDeclaration] = []
  var fakeLatency = MediaTime.zero
  var fakeIsLive = false

  static let declaration = NodeDeclaration<Self>(
    "producer", role: .source, help: "A fake.", example: "")
  mutating func start(to outputs: NodeOutputs) throws {}
  mutating func produce(to outputs: NodeOutputs) throws -> Bool { false }
}

/// Where samples enter.
struct FakeEntry: FakeNode, EntryNode {
  var fakePorts: [PortDeclaration] = []
  var fakeLatency = MediaTime.zero
  var fakeIsLive = false

  static let declaration = NodeDeclaration<Self>(
    "entry", role: .source, help: "A fake.", example: "")
  var entryFormat: MediaFormat { .audio(AudioFormat(.f32, sampleRate: 48_000, channels: 2)) }
}

/// Where samples leave.
struct FakeExit: FakeNode, ExitNode {
  var fakePorts: [PortDeclaration] = []
  var fakeLatency = MediaTime.zero
  var fakeIsLive = false

  static let declaration = NodeDeclaration<Self>("exit", role: .sink, help: "A fake.", example: "")
}
