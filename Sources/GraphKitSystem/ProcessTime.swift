import Glibc
import Synchronization

/// What the process has used.
package enum ProcessTime {
  /// CPU seconds of all threads since the process began.
  package static var cpuSeconds: Double {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let micros = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) + Double(micros) / 1e6
  }

  /// How many parts of the program share that: runs, and files whose streams are looked for. At least 1.
  package static var sharers: Int { max(1, working.load(ordering: .relaxed)) }

  /// Does something that takes its share of the processor time.
  package static func share<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    working.add(1, ordering: .relaxed)
    defer { working.subtract(1, ordering: .relaxed) }
    return try work()
  }

  private static let working = Atomic<Int>(0)

  /// The time of day, in seconds since 1970.
  package static var secondsSince1970: Int { time(nil) }

  /// The same, in nanoseconds.
  package static var nanosecondsSince1970: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
