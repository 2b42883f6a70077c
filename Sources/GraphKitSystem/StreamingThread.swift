import CGraphKitSystem
import Glibc
import Synchronization

/// A thread of the system that runs one function on an object of its own.
@safe package final class StreamingThread: Sendable {
  /// The thread, until it is joined.
  private let handle: Mutex<pthread_t?>

  /// Starts a thread that alone uses `object` from now on.
  package init<Object: AnyObject>(
    name: String, running object: sending Object, _ body: @escaping @Sendable (Object) -> Void
  ) {
    let work: AnyWork = Work(object: object, body: body)
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    var thread = pthread_t()
    let error = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<AnyWork>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context)
    precondition(error == 0, "The system gives no thread (error \(error)).")
    // The kernel takes fifteen bytes of a thread's name.
    unsafe pthread_setname_np(thread, String(name.prefix(15)))
    handle = Mutex(thread)
  }

  /// Waits until the thread has ended. To be called once.
  package func join() {
    guard let thread = handle.withLock({ $0.take() }) else { return }
    pthread_join(thread, nil)
  }

  deinit {
    // A detached thread releases its resources when it ends.
    if let thread = handle.withLock({ $0.take() }) { pthread_detach(thread) }
  }

  /// Lets other threads run for about so long.
  package static func nap(microseconds: UInt32) { usleep(microseconds) }
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
