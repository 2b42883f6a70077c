import GraphKit
import GraphKitSystem

/// A sink that publishes to a server over connections, one after the other.
protocol TransmissionNode: SwiftNode {
  /// What is sent while the run goes on.
  var transmission: Monitor<Transmission>? { get set }
  var environment: (any Environment)? { get set }
  var bufferSize: Int { get }
  /// The address, as messages may show it.
  var place: String { get }
  var uri: String { get }
  /// What makes a connection.
  var receiver: TransmissionElements { get }
}

/// The elements of a connection that is sent over.
struct TransmissionElements: Sendable {
  var elements: [ElementSpec] = []
  /// The pad of the first of them, by the port.
  var pads: [String: PadReference] = [:]
}

extension TransmissionNode {
  public var traits: NodeTraits {
    var traits = NodeTraits(needsUprightVideo: true, isBestEffort: true)
    traits.needsAllPlugins = true
    return traits
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? { .turned(in: formats) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    let missing = receiver.elements.first { !environment.isInstalled($0) }
    if let missing {
      throw NodeError(
        "the GStreamer element \(missing.factory) isn't installed",
        remedy: missing.factory == "rtspclientsink"
          ? "install gstreamer1.0-rtsp" : "install gstreamer1.0-plugins-bad")
    }
    if LiveAddress(uri: uri).isSecure { try environment.prepareSecureConnections() }
    self.environment = environment
    return []
  }

  public mutating func settle(formats: [String: FormatConstraint]) {
    guard let environment else { return }
    let tracks = ["video", "audio"].map { port in
      formats[port].map { TransmittedTrack(port: port, codec: $0.codecs.first) }
    }
    transmission = Monitor(
      Transmission(
        receiver, tracks, to: place, hiding: uri, bufferSize: bufferSize, in: environment))
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    transmission?.withLock { $0.prepare(format, on: input) }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let transmission else { return }
    Transmission.waitForTime(of: sample, outputs)
    let box = SampleBox(sample)
    transmission.withLock { $0.take(box, on: input, outputs) }
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    transmission?.withLock { $0.finish(input: input) }
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    transmission?.withLock { $0.finish(outputs) }
  }
}

/// A sample in a queue.
final class SampleBox {
  let sample: SampleBuffer
  init(_ sample: consuming SampleBuffer) { self.sample = sample }
}
