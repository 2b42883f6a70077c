import Dispatch
import Testing

/// Threads of the tests themselves, beside the few that all tasks of the process share.
///
/// A test that waits for another program blocks its thread. On the shared ones it would hold up the
/// graphs of the other tests, which then seem to stand still.
final class TestThreads: TaskExecutor {
  static let shared = TestThreads()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A serial queue has a thread at once. Those of a concurrent one are taken from the ones that
    // all tasks share, of which one more comes in a second while as many as there are cores wait.
    DispatchQueue(label: "org.graphkit.tests").async {
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }

  /// Runs a test on them, and ends the process where it hangs, with its name.
  ///
  /// The library's own limit counts the time in which a test waits for its turn, which is most of it.
  static func run(_ test: Test, _ function: @concurrent @Sendable () async throws -> Void)
    async throws
  {
    let alarm = Task(executorPreference: shared) {
      try await Task.sleep(for: .seconds(600))
      fatalError("\(test.name) has not ended in 10 minutes")
    }
    defer { alarm.cancel() }
    try await withTaskExecutorPreference(shared) { try await function() }
  }
}

/// Has tests run on threads of their own.
public struct OwnThreadsTrait: SuiteTrait, TestTrait, TestScoping {
  /// Its tests, and those of the suites within.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // With its turn it gets such a thread, and its ten minutes begin.
    if test.traits.contains(where: { $0 is TurnTrait }) { return try await function() }
    try await TestThreads.run(test, function)
  }
}

extension Trait where Self == OwnThreadsTrait {
  /// Has each test of the suite run beside the threads that tasks share.
  public static var onOwnThreads: OwnThreadsTrait { OwnThreadsTrait() }
}
