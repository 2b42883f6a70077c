import Synchronization

/// What orders a pad's thread behind the thread that started it: what runs on the thread, and what
/// elements call there.
///
/// GLib's thread pool does that too, but with locks that the thread sanitizer can't see: without
/// this it takes all that was made before the start for a race. It costs one load an item.
enum Handover {
  private static let starts = Atomic<Int>(0)

  /// Before a thread is started.
  static func give() { starts.add(1, ordering: .releasing) }

  /// On the started thread, before it uses anything.
  static func take() { _ = starts.load(ordering: .acquiring) }
}
