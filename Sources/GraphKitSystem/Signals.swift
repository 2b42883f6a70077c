import Glibc

/// The signals that ask a process to end.
///
/// A program that wants to end in its own way calls ``hold()`` first of all, on its first thread:
/// from then on these signals end nothing by themselves and none is lost. A caller of
/// ``listen(_:)`` gets them; ``release()`` gives them back to the system.
package enum Signals {
  /// Keeps the signals back, in this thread and in all that it starts from now on. A hang-up that
  /// the parent had ignored, as `nohup` does, stays ignored.
  package static func hold() {
    var set = endingSignals
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    // The reader of the output may leave before its end; writing then fails, which is enough.
    _ = signal(SIGPIPE, SIG_IGN)
    // A file that may not grow any further is one that can't be written, as on a full disk.
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Lets the signals, held ones too, do what they do by default. A file that grows over its limit
  /// remains an error of writing.
  package static func release() {
    var set = endingSignals
    _ = signal(SIGPIPE, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Calls `body` with each signal, also with those held so far, on a thread of its own that lasts
  /// as long as the process. Only after ``hold()``, and once.
  package static func listen(_ body: @escaping @Sendable (EndingSignal) -> Void) {
    _ = StreamingThread(name: "signals", running: Listener(body)) { $0.run() }
  }

  fileprivate static var endingSignals: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in EndingSignal.allCases where signal != .hangUp || !isIgnored(SIGHUP) {
      unsafe sigaddset(&set, signal.rawValue)
    }
    return set
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // The one handler that is the number 1, `SIG_IGN`, can't be compared as a function.
    return unsafe unsafeBitCast(action.__sigaction_handler, to: Int.self) == 1
  }
}

/// A signal that asks a process to end.
package enum EndingSignal: Int32, Sendable, CaseIterable {
  case interrupt = 2
  case terminate = 15
  case hangUp = 1

  /// Ends the process at once, as the signal does by default, so that its parent sees why.
  package func endProcess() -> Never {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, rawValue)
    _ = signal(rawValue, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    _ = pthread_kill(pthread_self(), rawValue)
    _exit(128 + rawValue)
  }
}

/// Waits for signals on its own thread.
private final class Listener {
  private let body: @Sendable (EndingSignal) -> Void

  init(_ body: @escaping @Sendable (EndingSignal) -> Void) { self.body = body }

  func run() {
    var set = Signals.endingSignals
    var number: Int32 = 0
    while true {
      guard unsafe sigwait(&set, &number) == 0 else { continue }
      if let signal = EndingSignal(rawValue: number) { body(signal) }
    }
  }
}
