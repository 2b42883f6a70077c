import CGStreamer

/// A thread of GStreamer's kind that runs one function on an object of its own.
@safe package final class StreamingThread: @unchecked Sendable {
  // Unchecked because the handle is only taken once, by `join`.
  private var handle: OpaquePointer?

  /// Starts a thread that alone uses `object` from now on.
  package init<Object: AnyObject>(
    name: String, running object: sending Object, _ body: @escaping @Sendable (Object) -> Void
  ) {
    let work: AnyWork = Work(object: object, body: body)
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    // The kernel takes fifteen bytes of a thread's name.
    unsafe handle = OpaquePointer(
      g_thread_new(
        String(name.prefix(15)),
        { context in
          guard let context = unsafe context else { return nil }
          unsafe Unmanaged<AnyWork>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, context))
  }

  /// Waits until the thread has ended. To be called once.
  package func join() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    unsafe g_thread_join(UnsafeMutablePointer(handle))
  }

  deinit {
    // A thread that nobody joins gives its resources back when it ends.
    if let handle = unsafe handle { unsafe g_thread_unref(UnsafeMutablePointer(handle)) }
  }
}

/// What a thread does, without the type of what it does it with.
private class AnyWork {
  func run() {}
}

private final class Work<Object: AnyObject>: AnyWork {
  private let object: Object
  private let body: @Sendable (Object) -> Void

  init(object: Object, body: @escaping @Sendable (Object) -> Void) {
    self.object = object
    self.body = body
  }

  override func run() { body(object) }
}
