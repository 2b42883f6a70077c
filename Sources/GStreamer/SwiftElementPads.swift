import CGStreamer

/// The C functions of a ``SwiftElement``'s pads: each finds its port and calls the body.
enum SwiftElementPads {
  static func makeInput(_ index: Int) -> UnsafeMutablePointer<GstPad> {
    let pad = unsafe gst_pad_new("sink_\(index)", GST_PAD_SINK)!
    unsafe gst_pad_set_chain_function_full(
      pad,
      { pad, _, buffer in
        guard let pad = unsafe pad, let buffer = unsafe buffer else { return GST_FLOW_ERROR }
        let port = unsafe SwiftElementPads.port(pad)
        return unsafe port.body.receive(Buffer(taking: buffer), on: port.index).gst
      }, nil, nil)
    unsafe gst_pad_set_event_function_full(
      pad,
      { pad, _, event in
        guard let pad = unsafe pad, let event = unsafe event else { return 0 }
        let port = unsafe SwiftElementPads.port(pad)
        return unsafe port.body.handle(Event(taking: event), on: port.index) ? 1 : 0
      }, nil, nil)
    unsafe gst_pad_set_query_function_full(
      pad, { unsafe SwiftElementPads.answer($0, $1, $2) }, nil, nil)
    unsafe gst_pad_set_activatemode_function_full(
      pad,
      { pad, _, mode, active in
        guard let pad = unsafe pad, mode == GST_PAD_MODE_PUSH else { return 0 }
        let port = unsafe SwiftElementPads.port(pad)
        unsafe port.body.setActive(active != 0, input: port.index)
        return 1
      }, nil, nil)
    return unsafe pad
  }

  static func makeOutput(_ index: Int, runs: Bool) -> UnsafeMutablePointer<GstPad> {
    let pad = unsafe gst_pad_new("src_\(index)", GST_PAD_SRC)!
    unsafe gst_pad_set_query_function_full(
      pad, { unsafe SwiftElementPads.answer($0, $1, $2) }, nil, nil)
    guard runs else { return unsafe pad }
    unsafe gst_pad_set_activatemode_function_full(
      pad, { unsafe SwiftElementPads.activate($0, $2, $3) }, nil, nil)
    return unsafe pad
  }

  private static func port(_ pad: UnsafeMutablePointer<GstPad>) -> SwiftElement.Port {
    // Set before the pad was added, and kept by the element.
    unsafe Unmanaged<SwiftElement.Port>.fromOpaque(pad.pointee.element_private!)
      .takeUnretainedValue()
  }

  private static func activate(
    _ pad: UnsafeMutablePointer<GstPad>?, _ mode: GstPadMode, _ active: gboolean
  ) -> gboolean {
    guard let pad = unsafe pad, mode == GST_PAD_MODE_PUSH else { return 0 }
    let port = unsafe SwiftElementPads.port(pad)
    unsafe port.body.setActive(active != 0, output: port.index)
    guard active != 0 else { return unsafe gst_pad_stop_task(pad) }
    Handover.give()
    return unsafe gst_pad_start_task(
      pad,
      { context in
        guard let context = unsafe context else { return }
        Handover.take()
        let pad = unsafe context.assumingMemoryBound(to: GstPad.self)
        let port = unsafe SwiftElementPads.port(pad)
        if unsafe !port.body.run(on: port.index) { unsafe gst_pad_pause_task(pad) }
      }, pad, nil)
  }

  private static func answer(
    _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
    _ query: UnsafeMutablePointer<GstQuery>?
  ) -> gboolean {
    guard let pad = unsafe pad, let query = unsafe query else { return 0 }
    switch unsafe query.pointee.type {
    case GST_QUERY_CAPS: return unsafe answerCaps(pad, query)
    case GST_QUERY_ACCEPT_CAPS: return unsafe answerAcceptCaps(pad, query)
    // Memory that a later element lays out can't be had across a queue or a stage.
    case GST_QUERY_ALLOCATION: return 0
    default: return unsafe gst_pad_query_default(pad, parent, query)
    }
  }

  private static func answerCaps(
    _ pad: UnsafeMutablePointer<GstPad>, _ query: UnsafeMutablePointer<GstQuery>
  ) -> gboolean {
    var raw: UnsafeMutablePointer<GstCaps>?
    unsafe gst_query_parse_caps(query, &raw)
    let filter = unsafe raw.map { unsafe Caps(retaining: $0) }
    let any = unsafe Caps(taking: gst_caps_new_any())
    let caps = unsafe caps(of: pad, filter: filter) ?? filter ?? any
    let result = unsafe gst_caps_intersect_full(
      (filter ?? any).raw, caps.raw, GST_CAPS_INTERSECT_FIRST)
    unsafe gst_query_set_caps_result(query, result)
    unsafe gst_caps_unref(result)
    return 1
  }

  private static func caps(of pad: UnsafeMutablePointer<GstPad>, filter: Caps?) -> Caps? {
    let port = unsafe port(pad)
    return unsafe gst_pad_get_direction(pad) == GST_PAD_SINK
      ? port.body.caps(ofInput: port.index, filter: filter)
      : port.body.caps(ofOutput: port.index, filter: filter)
  }

  private static func answerAcceptCaps(
    _ pad: UnsafeMutablePointer<GstPad>, _ query: UnsafeMutablePointer<GstQuery>
  ) -> gboolean {
    var raw: UnsafeMutablePointer<GstCaps>?
    unsafe gst_query_parse_accept_caps(query, &raw)
    guard let asked = unsafe raw else { return 0 }
    let mine = unsafe caps(of: pad, filter: nil)
    let accepted = mine.map { unsafe gst_caps_can_intersect($0.raw, asked) } ?? 1
    unsafe gst_query_set_accept_caps_result(query, accepted)
    return 1
  }
}
