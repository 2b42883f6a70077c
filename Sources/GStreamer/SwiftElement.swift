import CGStreamer

/// What an element that is written in Swift does.
///
/// `receive` and `handle` come on upstream's streaming thread, one call at a time for each input;
/// `run` comes again and again on the output's own thread while the output is active.
package protocol ElementBody: AnyObject {
  /// Takes a buffer of an input.
  func receive(_ buffer: consuming Buffer, on input: Int) -> Flow
  /// Takes a serialised event, or a flush, of an input; `false` where it couldn't be handled.
  func handle(_ event: consuming Event, on input: Int) -> Bool
  /// Does one round of an output's own thread; only where the output has one. `false` ends it.
  func run(on output: Int) -> Bool
  /// An input starts or stops: after a stop nothing may block in ``receive(_:on:)``.
  func setActive(_ isActive: Bool, input: Int)
  /// An output starts or stops: after a stop nothing may block in ``run(on:)``.
  func setActive(_ isActive: Bool, output: Int)
  /// The caps that an input takes; `nil` for any.
  func caps(ofInput input: Int, filter: Caps?) -> Caps?
  /// The caps that an output gives; `nil` for any.
  func caps(ofOutput output: Int, filter: Caps?) -> Caps?
  /// The pipeline asks a source to end; `true` where the element is one and will.
  func endOfStreamRequested() -> Bool
}

extension ElementBody {
  package func receive(_ buffer: consuming Buffer, on input: Int) -> Flow { .ok }
  package func handle(_ event: consuming Event, on input: Int) -> Bool { true }
  package func run(on output: Int) -> Bool { false }
  package func setActive(_ isActive: Bool, input: Int) {}
  package func setActive(_ isActive: Bool, output: Int) {}
  package func caps(ofInput input: Int, filter: Caps?) -> Caps? { nil }
  package func caps(ofOutput output: Int, filter: Caps?) -> Caps? { nil }
  package func endOfStreamRequested() -> Bool { false }
}

/// An element whose body is written in Swift: a `GstElement` of a type registered here.
@safe package final class SwiftElement: @unchecked Sendable {
  // Unchecked because all its state is set before the element is shared.
  package let element: Element
  package private(set) var inputs: [Pad] = []
  package private(set) var outputs: [Pad] = []

  /// One pad's way to the body; its address is what C holds.
  final class Port {
    unowned(unsafe) let body: any ElementBody
    let index: Int
    init(body: any ElementBody, index: Int) {
      unsafe self.body = body
      self.index = index
    }
  }

  /// Makes an element with some pads, whose body is made once the output pads are there.
  ///
  /// `runsOutputs` gives each output a thread that calls `run(on:)`. An element without outputs
  /// is one of those that the pipeline waits for, unless it `isAside`; `isSource` makes it one that the pipeline asks
  /// to end.
  package init(
    name: String, inputs inputCount: Int, outputs outputCount: Int, runsOutputs: Bool = false,
    isSource: Bool = false, isAside: Bool = false, body makeBody: ([Pad]) -> any ElementBody
  ) {
    let raw = unsafe g_object_new_with_properties(SwiftElementType.type, 0, nil, nil)!
    let element = unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstElement.self)
    self.element = unsafe Element(sinking: element)
    unsafe gst_object_set_name(object(element), name)
    if outputCount == 0, !isAside { unsafe setFlag(element, GST_ELEMENT_FLAG_SINK.rawValue) }
    if isSource { unsafe setFlag(element, GST_ELEMENT_FLAG_SOURCE.rawValue) }
    inputs = (0..<inputCount).map { unsafe Pad(sinking: SwiftElementPads.makeInput($0)) }
    outputs = (0..<outputCount).map {
      unsafe Pad(sinking: SwiftElementPads.makeOutput($0, runs: runsOutputs))
    }
    let body = makeBody(outputs)
    // The element owns its body and the pads' ports: C may call them as long as it lives.
    unsafe SwiftElementType.setBody(of: element, body)
    let ports = unsafe attach(inputs, to: element, body) + attach(outputs, to: element, body)
    unsafe SwiftElementType.keep(ports, in: element)
  }

  private func setFlag(_ element: UnsafeMutablePointer<GstElement>, _ flag: UInt32) {
    unsafe element.pointee.object.flags |= flag
  }

  private func attach(
    _ pads: [Pad], to element: UnsafeMutablePointer<GstElement>, _ body: any ElementBody
  ) -> [Port] {
    pads.enumerated().map { index, pad in
      let port = Port(body: body, index: index)
      unsafe pad.raw.pointee.element_private = Unmanaged.passUnretained(port).toOpaque()
      unsafe gst_element_add_pad(element, pad.raw)
      return port
    }
  }

  /// Tells the pipeline that this sink has reached its end.
  package func postEndOfStream() {
    unsafe gst_element_post_message(element.raw, gst_message_new_eos(object(element.raw)))
  }
}
