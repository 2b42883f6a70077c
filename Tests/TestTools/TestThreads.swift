import Dispatch
import Testing

/// Threads of the tests themselves, beside the few that all tasks of the process share.
///
/// A test that waits for another program blocks its thread. On the shared ones it would hold up the
/// graphs of the other tests, which then seem to stand still.
final class TestThreads: TaskExecutor {
  static let shared = TestThreads()

  private let queue = DispatchQueue(label: "org.graphkit.tests", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
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
    try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreadsTrait {
  /// Has each test of the suite run beside the threads that tasks share.
  public static var onOwnThreads: OwnThreadsTrait { OwnThreadsTrait() }
}
