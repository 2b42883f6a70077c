import Synchronization

/// What orders one thread after another where GLib does so with locks that the thread sanitizer
/// can't see: a pad's thread after the one that started it, with all that elements call there, the
/// next user of a pool's buffer after the last, and who is alone with a buffer after all that had
/// it, too.
///
/// Without this the sanitizer takes all that was done before for a race. Other builds have nothing of
/// it: `make sanitize` has the package define `THREAD_SANITIZER`, of which Swift's compiler itself
/// says nothing to a program.
enum Handover {
  #if THREAD_SANITIZER
    private static let count = Atomic<Int>(0)

    /// Before a thread is started, or a buffer let go of.
    static func give() { count.add(1, ordering: .releasing) }

    /// On the other thread, before it uses anything.
    static func take() { _ = count.load(ordering: .acquiring) }
  #else
    /// Before a thread is started, or a buffer let go of.
    @inline(__always) static func give() {}

    /// On the other thread, before it uses anything.
    @inline(__always) static func take() {}
  #endif
}
