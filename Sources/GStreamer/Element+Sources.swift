import CGStreamer
import GraphKitSystem

extension Element {
  /// Asks every source of this pipeline to end, each on a thread of its own: one whose streaming
  /// thread hangs doesn't answer, and must not keep the others from ending.
  package func endSources() {
    for source in sources {
      _ = StreamingThread(name: "end", running: source) { $0.sendEndUnlocked() }
    }
  }

  /// Sends the end without the lock on the element's state, which `gst_element_send_event` holds
  /// until the streaming thread answers: a thread that hangs would hold up all changes of state.
  private func sendEndUnlocked() {
    guard let send = unsafe elementClass.pointee.send_event else { return }
    unsafe _ = send(raw, Event.endOfStream().release())
    stopLateTask()
  }

  /// Stops the streaming thread of a source that is to be at rest.
  ///
  /// A source (1.22) starts its thread anew to send the end, once the thread has come out of the
  /// elements after it. Where the state was changed meanwhile, nothing else would stop it, and it
  /// would outlive its element.
  private func stopLateTask() {
    unsafe g_rec_mutex_lock(&raw.pointee.state_lock)
    defer { unsafe g_rec_mutex_unlock(&raw.pointee.state_lock) }
    guard unsafe raw.pointee.current_state.rawValue < GST_STATE_PAUSED.rawValue else { return }
    let stop: GstElementForeachPadFunc = { _, pad, _ in unsafe gst_pad_stop_task(pad) }
    unsafe gst_element_foreach_src_pad(raw, stop, nil)
  }

  private var elementClass: UnsafeMutablePointer<GstElementClass> {
    unsafe UnsafeMutableRawPointer(raw.pointee.object.object.g_type_instance.g_class)
      .assumingMemoryBound(to: GstElementClass.self)
  }

  private var sources: [Element] {
    guard let iterator = unsafe gst_bin_iterate_sources(bin(raw)) else { return [] }
    return unsafe Element.all(of: iterator)
  }
}

extension Element {
  /// The element of this pipeline that a change of state waits for, or a streaming thread is in,
  /// while it should have come back: the name of the pipeline's own element, and of the factory.
  package var unfinished: (name: String, factory: String)? {
    guard let iterator = unsafe gst_bin_iterate_sorted(bin(raw)) else { return nil }
    // The sinks come first, and of a row of elements with one thread, the last has it.
    let elements = unsafe Element.all(of: iterator)
    guard let found = elements.first(where: \.isChanging) ?? elements.first(where: \.isEntered)
    else { return nil }
    return (found.name, found.innermost.factoryName)
  }

  /// The element inside of this one that it waits for itself.
  private var innermost: Element {
    guard isBin, let iterator = unsafe gst_bin_iterate_sorted(bin(raw)) else { return self }
    return unsafe Element.all(of: iterator).first(where: \.isChanging)?.innermost ?? self
  }

  /// Whether another thread is changing the element's state.
  private var isChanging: Bool {
    guard unsafe g_rec_mutex_trylock(&raw.pointee.state_lock) != 0 else { return true }
    unsafe g_rec_mutex_unlock(&raw.pointee.state_lock)
    return false
  }

  /// Whether another thread has brought something to the element and is still in it.
  private var isEntered: Bool {
    var isEntered = false
    let visit: GstElementForeachPadFunc = { _, pad, isEntered in
      guard let pad = unsafe pad else { return 1 }
      guard unsafe g_rec_mutex_trylock(&pad.pointee.stream_rec_lock) != 0 else {
        unsafe isEntered?.assumingMemoryBound(to: Bool.self).pointee = true
        return 0
      }
      unsafe g_rec_mutex_unlock(&pad.pointee.stream_rec_lock)
      return 1
    }
    unsafe _ = gst_element_foreach_sink_pad(raw, visit, &isEntered)
    return isEntered
  }

  package var isBin: Bool {
    unsafe g_type_check_instance_is_a(
      UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self), gst_bin_get_type())
      != 0
  }

  /// The name of the element's factory; that of the element where it has none.
  package var factoryName: String {
    guard let factory = unsafe gst_element_get_factory(raw),
      let text = unsafe gst_object_get_name(
        UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self))
    else { return name }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  func bin(_ raw: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstBin> {
    unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBin.self)
  }

  /// The elements of an iterator, which is freed.
  static func all(of iterator: UnsafeMutablePointer<GstIterator>) -> [Element] {
    defer { unsafe gst_iterator_free(iterator) }
    let elements = ElementList()
    let context = unsafe Unmanaged.passUnretained(elements).toOpaque()
    let visit: GstIteratorForeachFunction = { value, list in
      guard let value = unsafe value, let object = unsafe g_value_get_object(value),
        let list = unsafe list
      else { return }
      unsafe Unmanaged<ElementList>.fromOpaque(list).takeUnretainedValue().elements.append(
        Element(sinking: object.assumingMemoryBound(to: GstElement.self)))
    }
    while unsafe gst_iterator_foreach(iterator, visit, context) == GST_ITERATOR_RESYNC {
      elements.elements = []
      unsafe gst_iterator_resync(iterator)
    }
    return elements.elements
  }
}

/// What an iterator has given so far.
private final class ElementList {
  var elements: [Element] = []
}
