import Synchronization
import Testing

/// Has a test wait for one of a few turns before it begins.
///
/// All tests of a process share as many threads as there are cores. Hundreds that have begun would
/// keep each of their steps waiting behind all the others', so that graphs seem to stand still that
/// only nobody reads. With its turn a test has a thread of its own.
public struct TurnTrait: SuiteTrait, TestTrait, TestScoping {
  /// Whether a test that fails is tried once more while no other runs.
  let triesAgainAlone: Bool

  /// The tests of a suite wait, and not the suite.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard triesAgainAlone else {
      return try await Turns.shared.with(1) { try await TestThreads.run(test, function) }
    }
    let failure = Failure()
    try await Turns.shared.with(1) {
      try await withKnownIssue(
        "beside other tests; it is tried once more alone", isIntermittent: true
      ) {
        try await TestThreads.run(test, function)
      } matching: { _ in
        failure.hasCome.withLock { $0 = true }
        return true
      }
    }
    guard failure.hasCome.withLock({ $0 }) else { return }
    try await Turns.shared.with(Turns.all) { try await TestThreads.run(test, function) }
  }
}

extension Trait where Self == TurnTrait {
  /// Has each test of the suite wait for its turn.
  public static var inTurn: TurnTrait { TurnTrait(triesAgainAlone: false) }

  /// The same for tests of what has to keep up with clocks and with other programs: live streams,
  /// limits of time, kills and signals at some moment; and of those that expect no warning, since what
  /// GLib complains about on an unknown thread is a warning of every run of the process. Where the other
  /// tests leave it too little of the machine, one fails that is right. It is then a known issue, which
  /// the end of the run names, and the test is tried once more while no other has a turn: what is wrong
  /// fails then, too.
  public static var inTurnOrAlone: TurnTrait { TurnTrait(triesAgainAlone: true) }
}

/// Whether a test has failed.
private final class Failure: Sendable {
  let hasCome = Mutex(false)
}

/// The turns of all tests of the process.
private actor Turns {
  static let shared = Turns()
  /// So many that the cores have work while some tests wait for other programs.
  static let all = 4

  private var free = Turns.all
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// Runs something that takes some turns at once.
  nonisolated func with(_ count: Int, _ body: () async throws -> Void) async rethrows {
    await take(count)
    do {
      try await body()
    } catch {
      await give(count)
      throw error
    }
    await give(count)
  }

  private func take(_ count: Int) async {
    guard !waiting.isEmpty || free < count else {
      free -= count
      return
    }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }

  /// Gives turns back: to those that have waited longest.
  private func give(_ count: Int) {
    free += count
    while let next = waiting.first, next.count <= free {
      free -= next.count
      waiting.removeFirst()
      next.continuation.resume()
    }
  }
}
