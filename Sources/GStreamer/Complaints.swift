import CGStreamer
import Glibc
import Synchronization
import GraphKitSystem

/// What GLib, GStreamer and its plug-ins complain about by way of GLib's log: critical messages,
/// warnings and notes, which would otherwise go to standard error as they are.
///
/// A complaint goes to the run on one of whose threads it comes up, with the element that the thread
/// belongs to. One of an unknown thread goes to every run that there is, and where there is none it
/// waits for the next.
package enum Complaints {
  /// A complaint.
  package struct Complaint: Hashable, Sendable {
    /// Which library complains: `GStreamer`, `GLib-GObject`.
    package var library: String
    /// What about.
    package var text: String
    /// The element of the pipeline whose thread it is; `nil` where it is no element's.
    package var element: String?

    /// In words. What the element of a thread hands on to others is done on its thread, too.
    package var message: String {
      "\(library) reports\(element == nil ? "" : " on its thread"): \(text)"
    }
  }

  fileprivate struct Run {
    var body: @Sendable (Complaint) -> Void
    var known: Set<Complaint> = []
  }

  fileprivate struct Place {
    var run: Int
    var element: String?
  }

  fileprivate struct State {
    var runs: [Int: Run] = [:]
    /// Where each thread belongs that is known.
    var threads: [UInt: Place] = [:]
    var waiting: [Complaint] = []
  }

  private static let state = Monitor(State())
  private static let count = Atomic<Int>(0)
  /// An element may complain about every sample.
  private static let most = 100

  /// Takes GLib's messages from now on. A program that has a handler of its own keeps it.
  static func takeLog() { _ = taken }
  private static let taken: Void = {
    let before = unsafe g_log_set_default_handler(
      { domain, level, message, _ in
        guard Complaints.takes(level) else {
          return unsafe g_log_default_handler(domain, level, message, nil)
        }
        unsafe Complaints.add(
          library: domain.map { unsafe String(cString: $0) } ?? "GStreamer",
          text: message.map { unsafe String(cString: $0) } ?? "")
      }, nil)
    let plain: GLogFunc = unsafe g_log_default_handler
    if let before = unsafe before,
      unsafe unsafeBitCast(before, to: UInt.self) != unsafeBitCast(plain, to: UInt.self)
    {
      unsafe g_log_set_default_handler(before, nil)
    }
  }()

  /// Whether a message is a complaint. One that ends the process is left to the debugger.
  private static func takes(_ level: GLogLevelFlags) -> Bool {
    let levels = [
      G_LOG_LEVEL_ERROR, G_LOG_LEVEL_CRITICAL, G_LOG_LEVEL_WARNING, G_LOG_LEVEL_MESSAGE,
    ]
    return level.rawValue & G_LOG_FLAG_FATAL.rawValue == 0
      && levels.contains { level.rawValue & $0.rawValue != 0 }
  }

  private static func add(library: String, text: String) {
    let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let thread = UInt(pthread_self())
    let (complaint, bodies) = state.withLock { state in
      let place = state.threads[thread]
      let complaint = Complaint(library: library, text: text, element: place?.element)
      let runs = place.map { [$0.run] } ?? Array(state.runs.keys)
      let bodies = runs.compactMap { state.hear(complaint, in: $0) }
      if state.runs.isEmpty, state.waiting.count < most, !state.waiting.contains(complaint) {
        state.waiting.append(complaint)
      }
      return (complaint, bodies)
    }
    for body in bodies { body(complaint) }
  }
}

extension Complaints.State {
  /// Who is to hear of a complaint of a run; `nil` where it has been heard before.
  fileprivate mutating func hear(_ complaint: Complaints.Complaint, in run: Int)
    -> (@Sendable (Complaints.Complaint) -> Void)?
  {
    var known = complaint
    known.text = complaint.text.withoutAddresses
    // Heard from no element's thread before, as while a file was looked into.
    var bare = known
    bare.element = nil
    guard runs[run]?.known.contains(bare) != true else { return nil }
    guard runs[run]?.known.count ?? 0 < 100, runs[run]?.known.insert(known).inserted == true else {
      return nil
    }
    return runs[run]?.body
  }
}

extension Complaints {
  /// Calls `body` with every complaint of a run, once for each element and text, and with those
  /// that were waiting for a run; returns the run's number. `body` may be called in the midst of
  /// anything that GStreamer does, and mustn't wait.
  package static func listen(_ body: @escaping @Sendable (Complaint) -> Void) -> Int {
    let number = count.add(1, ordering: .relaxed).newValue
    let waiting = state.withLock { state in
      state.runs[number] = Run(body: body)
      let heard = state.waiting.filter { state.hear($0, in: number) != nil }
      state.waiting = []
      return heard
    }
    waiting.forEach(body)
    return number
  }

  /// Ends what ``listen(_:)`` began.
  package static func stopListening(_ number: Int) {
    state.withLock { state in
      state.runs[number] = nil
      state.threads = state.threads.filter { $0.value.run != number }
    }
  }

  /// What no run has heard, for a program that ends.
  package static func takeWaiting() -> [Complaint] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Has the calling thread belong to a run, and to an element of it, until ``leave()``.
  package static func enter(_ run: Int, element: String? = nil) {
    let thread = UInt(pthread_self())
    state.withLock { state in
      guard state.runs[run] != nil else { return }
      state.threads[thread] = Place(run: run, element: element)
    }
  }

  /// Has the calling thread belong to no run.
  package static func leave() {
    let thread = UInt(pthread_self())
    state.withLock { _ = $0.threads.removeValue(forKey: thread) }
  }
}

extension Bus {
  /// Has the threads of the bus's pipeline belong to a run, each to the element that it drives: every
  /// one of them says so itself as it begins and ends.
  package func followThreads(of run: Int) {
    let box = unsafe Unmanaged.passRetained(Box(run)).toOpaque()
    unsafe gst_bus_set_sync_handler(
      raw,
      { _, message, box in
        guard let message = unsafe message, let box = unsafe box,
          unsafe message.pointee.type == GST_MESSAGE_STREAM_STATUS
        else { return GST_BUS_PASS }
        var type = GST_STREAM_STATUS_TYPE_CREATE
        var owner: UnsafeMutablePointer<GstElement>?
        unsafe gst_message_parse_stream_status(message, &type, &owner)
        switch type {
        case GST_STREAM_STATUS_TYPE_ENTER:
          let run = unsafe Unmanaged<Box<Int>>.fromOpaque(box).takeUnretainedValue().value
          unsafe Complaints.enter(run, element: Bus.Message.source(message))
        case GST_STREAM_STATUS_TYPE_LEAVE: Complaints.leave()
        default: break
        }
        return GST_BUS_PASS
      }, box, { box in unsafe releaseBox(box) })
  }
}

extension String {
  /// The text without the numbers of places in memory, which differ each time.
  fileprivate var withoutAddresses: String {
    split(separator: " ").map { $0.contains("0x") ? "0x" : $0 }.joined(separator: " ")
  }
}
