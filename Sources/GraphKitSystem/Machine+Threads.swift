import Glibc

extension Machine {
  /// Whether another thread of this process computes, or waits for a disk, at this moment: it isn't
  /// over with its work. One that waits for another, for a pipe or for a time is at rest.
  package static var hasWorkingThread: Bool {
    let working = names(in: "/proc/self/task").count { name in
      // `proc(5)`: the state follows the name, which is in parentheses and may hold any.
      let words = text(of: "/proc/self/task/\(name)/stat").split(separator: ")").last ?? ""
      return words.first { $0 != " " }.map { $0 == "R" || $0 == "D" } ?? false
    }
    // The thread that looks is one of them.
    return working > 1
  }
}

/// Threads that were left alone since they didn't come back.
package enum LostThreads {
  private static let count = Monitor(0)

  /// One more was left.
  package static func add() { count.withLock { $0 += 1 } }

  /// Whether any was. What ends a process in order would wait for them, or pull away what they use:
  /// such a process is to end by ``endProcess(_:)``.
  package static var areThere: Bool { count.withLock { $0 > 0 } }

  /// Ends the process at once, with an exit code.
  package static func endProcess(_ code: Int32) -> Never { _exit(code) }
}
