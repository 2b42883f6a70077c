import CGStreamer

/// Runs bytes through a row of elements, on the calling thread.
///
/// For the few conversions that are over in one go, such as that of a drawing into a picture: there
/// is no clock, no queue and no thread, and what goes in has come out when the call returns.
package enum Conversion {
  /// One element of the row: its factory, and its properties as text.
  package struct Step: Sendable {
    package var factory: String
    package var properties: [String: String]

    package init(_ factory: String, _ properties: [String: String] = [:]) {
      self.factory = factory
      self.properties = properties
    }
  }

  /// Why nothing came out.
  package enum Failure: Error, Sendable {
    /// The element of this name isn't installed.
    case missing(String)
    /// What an element said.
    case failed(String)
    /// A picture of this size, after so many others, exceeds the limit.
    case tooLarge(width: Int, height: Int, after: Int)
  }

  /// What the last of the elements makes of some bytes of the first one's caps. Their plug-ins are
  /// to be there; see ``Library/start(plugins:)``.
  package static func convert(_ bytes: [UInt8], caps: String, through steps: [Step])
    throws(Failure) -> [UInt8]
  {
    let collector = Collector()
    let complaint = try run([Packet(bytes)], caps: caps, through: steps, into: collector)
    guard !collector.bytes.isEmpty else { throw .failed(complaint) }
    return collector.bytes
  }

  /// Bytes that go in at once.
  package struct Packet: Sendable {
    package var bytes: [UInt8]
    /// When they are presented, in nanoseconds.
    package var presentationTime: UInt64?

    package init(_ bytes: [UInt8], at presentationTime: UInt64? = nil) {
      self.bytes = bytes
      self.presentationTime = presentationTime
    }
  }

  /// Runs packets through the row; the last element pushes on `collector`. Returns what elements
  /// complain about.
  static func run(
    _ packets: [Packet], caps: String, through steps: [Step], into collector: any ElementBody,
    taking isTaken: @escaping @Sendable (Caps) -> Bool = { _ in true }
  ) throws(Failure) -> String {
    let pipeline = Element.pipeline("conversion")
    let source = SwiftElement(name: "in", inputs: 0, outputs: 1) { _ in Idle() }
    let sink = SwiftElement(name: "out", inputs: 1, outputs: 0) { _ in collector }
    var row = [source.element]
    for (index, step) in steps.enumerated() {
      let element = try make(step, name: "step\(index)")
      element.pad("src")?.guardFormat { _, caps in isTaken(caps) }
      row.append(element)
    }
    row.append(sink.element)
    for element in row { pipeline.add(element) }
    defer { pipeline.setState(.null) }
    guard let bus = pipeline.bus, let output = source.outputs.first,
      let input = Caps(caps), zip(row, row.dropFirst()).allSatisfy({ $0.link(to: $1) })
    else { throw .failed("the elements don't fit together") }
    pipeline.setState(.paused)
    output.push(.streamStart("conversion"))
    output.push(.caps(input))
    output.push(.timeSegment())
    for packet in packets { _ = output.push(buffer(of: packet)) }
    output.push(.endOfStream())
    return complaint(on: bus)
  }

  private static func make(_ step: Step, name: String) throws(Failure) -> Element {
    guard let element = Element(factory: step.factory, name: name) else {
      throw .missing(step.factory)
    }
    for (name, text) in step.properties where !element.set(name, text) {
      throw .failed("`\(step.factory)` doesn't take `\(text)` as `\(name)`")
    }
    return element
  }

  private static func buffer(of packet: Packet) -> Buffer {
    var buffer = Buffer(packet.bytes)
    buffer.presentationTime = packet.presentationTime
    return buffer
  }

  private static func complaint(on bus: Bus) -> String {
    while let message = bus.next(within: 0) {
      if case .error(_, let text, let debug) = message { return "\(text) \(debug)" }
    }
    return "nothing came out"
  }

  /// The source: its pad is pushed on from outside.
  private final class Idle: ElementBody {}

  /// The sink; called on the thread that pushes.
  private final class Collector: ElementBody {
    var bytes: [UInt8] = []

    func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
      guard let map = BufferMap(buffer) else { return .error }
      let span = map.span(of: UInt8.self, from: 0, count: map.size)
      unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
      return .ok
    }
  }
}
