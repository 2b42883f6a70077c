import Testing

/// Has a test wait for one of a few turns before it begins.
///
/// All tests of a process share as many threads as there are cores. Hundreds that have begun would
/// keep each of their steps waiting behind all the others', so that graphs seem to stand still that
/// only nobody reads. With its turn a test has a thread of its own.
public struct TurnTrait: SuiteTrait, TestTrait, TestScoping {
  /// The tests of a suite wait, and not the suite.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await Turns.shared.take()
    do {
      try await TestThreads.run(test, function)
    } catch {
      await Turns.shared.give()
      throw error
    }
    await Turns.shared.give()
  }
}

extension Trait where Self == TurnTrait {
  /// Has each test of the suite wait for its turn.
  public static var inTurn: TurnTrait { TurnTrait() }
}

/// The turns of all tests of the process.
private actor Turns {
  static let shared = Turns()

  /// So many that the cores have work while some tests wait for other programs.
  private var free = 4
  private var waiting: ArraySlice<CheckedContinuation<Void, Never>> = []

  func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Gives a turn back: to whoever has waited longest.
  func give() {
    guard let next = waiting.popFirst() else {
      free += 1
      return
    }
    next.resume()
  }
}
