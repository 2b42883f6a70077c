/// What has come of a file of a web server, and what is to come: a pure state machine. Requests bring
/// bytes one after the other, and any number of readers wait.
package struct WebProgress: Sendable {
  /// What is asked of the server.
  package struct Request: Hashable, Sendable {
    /// Where it begins.
    package let start: Int
    /// The time to wait before, as a part of that in which bytes must come.
    package let pause: Double

    package init(start: Int, pause: Double) { (self.start, self.pause) = (start, pause) }
  }

  /// How a request ended: with the exit code of `curl` and its words, or killed.
  package enum Ending: Hashable, Sendable {
    case exited(code: Int32, words: String)
    case killed
  }

  /// Bytes of the file, once that is known.
  package private(set) var size: Int?
  /// Why no more can be had.
  package private(set) var failure: WebFailure?
  /// Bytes that have come so far, with those that were there already.
  package private(set) var arrived = 0
  /// How many readers wait.
  package private(set) var readers = 0

  private var fetched = RangeSet<Int>()
  /// The first response; the others must be about the same version.
  private var first: WebResponse?
  private var takesRanges = true
  /// Where the request under way goes on, and what it brought; `nil` where there is none.
  private var next: Int?
  private var (brought, gained) = (0, 0)
  private var hasResponse = false
  /// Where the next request is to begin, for a reader that can't wait for the one under way.
  private var target: Int?
  /// Up to where bytes are wanted.
  private var wanted = 0
  private var jumps = 0
  /// Requests one after the other that brought nothing new.
  private var failures = 0

  /// How far a request reads ahead of its readers, in bytes; and how far ahead of it a reader waits
  /// rather than have another made.
  private static let readAhead = 2 << 20
  private static let near = 1 << 20
  /// Bytes that each jump so far lets a request bring before the next, and how many at most. Readers
  /// that go back and forth would otherwise have requests made that bring next to nothing.
  private static let (jumpBytes, mostJumpBytes) = (1 << 16, 1 << 20)
  /// The pause before each further request after one that brought nothing: all of them together are
  /// shorter than the time in which bytes must come.
  private static let pauses = [0, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2]

  package init() {}

  // MARK: Readers

  /// Whether a reader can go on: its bytes are there, or after the end.
  package func has(_ range: Range<Int>) -> Bool { missing(in: range) == nil }

  /// A reader waits; it says when it doesn't any more.
  package mutating func enter() { readers += 1 }

  /// A reader that waits wants bytes.
  package mutating func want(_ range: Range<Int>) {
    guard let missing = missing(in: range) else { return }
    if willBring(missing) {
      wanted = max(wanted, range.upperBound)
    } else if target == nil, mayJump {
      target = takesRanges ? missing : 0
      if next != nil { jumps += 1 }
      wanted = range.upperBound
    }
  }

  /// A reader waits no longer.
  package mutating func leave() { readers -= 1 }

  // MARK: Requests

  /// Whether the request under way is to be given up for another.
  package var isToMove: Bool { next != nil && target != nil }

  /// Whether a request may bring more than its readers have asked for.
  package var hasRoom: Bool {
    next.map { $0 < wanted || $0 - wanted < Self.readAhead } ?? false
  }

  /// The next request, where one is wanted.
  package var nextRequest: Request? {
    guard failure == nil, next == nil, let target else { return nil }
    return Request(start: target, pause: Self.pauses[failures])
  }

  /// A request begins.
  package mutating func begin(_ request: Request) {
    (next, target) = (request.start, nil)
    (brought, gained, hasResponse) = (0, 0, false)
  }

  /// Takes what a server says before it sends bytes; `false` where they can't be used.
  package mutating func take(_ response: WebResponse) -> Bool {
    guard let requested = next, !hasResponse else { return true }
    hasResponse = true
    if requested > 0, response.status == 200 { takesRanges = false }
    next = response.start
    return accept(response)
  }

  /// Where the bytes that come now are to be written.
  package var place: Int { next ?? 0 }

  /// Takes bytes.
  package mutating func add(_ count: Int) {
    guard let start = next else { return }
    var new = RangeSet(start..<start + count)
    new.subtract(fetched)
    let newCount = new.ranges.reduce(0) { $0 + $1.count }
    fetched.formUnion(new)
    (arrived, brought, gained) = (arrived + count, brought + count, gained + newCount)
    next = start + count
    if newCount > 0 { failures = 0 }
  }

  /// The request under way has ended, after the server's last response.
  package mutating func end(_ ending: Ending, _ response: WebResponse?) {
    let place = next ?? 0
    next = nil
    guard case .exited(let code, let words) = ending else {
      // One that was given up for another, or since no reader waits, says nothing of the server.
      return target == nil && readers > 0 ? bookFailure(at: place) : ()
    }
    // One without bytes, of an empty file or about what is after the end of one, wasn't taken yet.
    if !hasResponse, let response, response.isAboutFile, !accept(response) { return }
    if code == 0, size == nil { size = place }
    if has(place..<Int.max) { return }
    if let failure = permanent(code, words, response) { return fail(failure) }
    bookFailure(at: place, response.flatMap { $0.status < 400 ? nil : refusal($0) })
  }

  /// No more is to be had.
  package mutating func fail(_ failure: WebFailure) { self.failure = self.failure ?? failure }
}

extension WebProgress {
  /// Takes what a response says of the file; `false` where it is of no use.
  private mutating func accept(_ response: WebResponse) -> Bool {
    if let name = response.encoding {
      fail(.encoded(name))
    } else if let first, response.isOfAnotherVersion(than: first) {
      fail(.changed)
    }
    if first == nil { takesRanges = response.takesRanges }
    (first, size) = (first ?? response, size ?? response.size)
    return failure == nil
  }

  /// The first byte of a range that isn't there.
  private func missing(in range: Range<Int>) -> Int? {
    let range = size.map { range.clamped(to: 0..<max(0, $0)) } ?? range
    guard !range.isEmpty else { return nil }
    guard let known = fetched.ranges.first(where: { $0.contains(range.lowerBound) }) else {
      return range.lowerBound
    }
    return known.upperBound < range.upperBound ? known.upperBound : nil
  }

  /// Whether the request under way comes to a byte soon.
  private func willBring(_ offset: Int) -> Bool {
    guard let next, target == nil, offset >= next else { return false }
    return !takesRanges || offset - next <= Self.near
  }

  /// Whether the request under way has brought enough.
  private var mayJump: Bool {
    next == nil || brought >= min(jumps * Self.jumpBytes, Self.mostJumpBytes)
  }

  /// Books the end of a request after which readers may have another made.
  private mutating func bookFailure(at place: Int, _ refusal: WebFailure? = nil) {
    if gained == 0 { failures += 1 }
    guard failures >= Self.pauses.count else { return }
    fail(refusal ?? .cut(at: place, size: size, takesRanges: takesRanges))
  }

  private func refusal(_ response: WebResponse) -> WebFailure {
    .refused(status: response.status, reason: response.reason)
  }

  /// Why another request wouldn't help.
  private func permanent(_ code: Int32, _ words: String, _ response: WebResponse?) -> WebFailure? {
    if let response, response.status >= 400 {
      let failure = refusal(response)
      return failure.isTemporary ? nil : failure
    }
    if code == WebRequest.isMissing { return .noCurl("it isn't installed") }
    let failure = WebFailure.unreached(code: code, words: words)
    // A server that has answered before may do so again.
    return failure.isTemporary && (first != nil || Self.ofConnections.contains(code))
      ? nil : failure
  }

  /// The exit codes of `curl` for connections that were made, and then cut.
  private static let ofConnections: Set<Int32> = [0, 16, 18, 52, 55, 56, 92, 95]
}
