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
  }

  /// What the last of the elements makes of some bytes of the first one's caps. Their plug-ins are
  /// to be there; see ``Library/start(plugins:)``.
  package static func convert(_ bytes: [UInt8], caps: String, through steps: [Step])
    throws(Failure) -> [UInt8]
  {
    let pipeline = Element.pipeline("conversion")
    let source = SwiftElement(name: "in", inputs: 0, outputs: 1) { _ in Idle() }
    let collector = Collector()
    let sink = SwiftElement(name: "out", inputs: 1, outputs: 0) { _ in collector }
    let row = [source.element] + (try steps.map(make)) + [sink.element]
    for element in row { pipeline.add(element) }
    defer { pipeline.setState(.null) }
    guard let bus = pipeline.bus, let output = source.outputs.first,
      let input = Caps(caps), zip(row, row.dropFirst()).allSatisfy({ $0.link(to: $1) })
    else { throw .failed("the elements don't fit together") }
    pipeline.setState(.paused)
    output.push(.streamStart("conversion"))
    output.push(.caps(input))
    output.push(.timeSegment())
    _ = output.push(buffer(of: bytes))
    output.push(.endOfStream())
    guard !collector.bytes.isEmpty else { throw .failed(complaint(on: bus)) }
    return collector.bytes
  }

  private static func make(_ step: Step) throws(Failure) -> Element {
    guard let element = Element(factory: step.factory, name: step.factory) else {
      throw .missing(step.factory)
    }
    for (name, text) in step.properties where !element.set(name, text) {
      throw .failed("`\(step.factory)` doesn't take `\(text)` as `\(name)`")
    }
    return element
  }

  private static func buffer(of bytes: [UInt8]) -> Buffer {
    var buffer = Buffer(size: bytes.count)
    if var map = MutableBufferMap(&buffer) {
      var span = map.mutableSpan(of: UInt8.self, from: 0, count: bytes.count)
      for index in span.indices { span[index] = bytes[index] }
    }
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
      bytes.reserveCapacity(bytes.count + span.count)
      for index in span.indices { bytes.append(span[index]) }
      return .ok
    }
  }
}
