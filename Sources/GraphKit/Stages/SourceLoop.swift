import GStreamer
import Synchronization
import GraphKitSystem

/// The thread of a stage that begins with a source written in Swift.
final class SourceLoop: Sendable {
  private let isAskedToEnd = Atomic<Bool>(false)
  private let thread = Monitor<StreamingThread?>(nil)
  let name: String
  private let isAtWork = Atomic<Bool>(false)
  private let ended = Monitor<Duration?>(nil)

  init(name: String) { self.name = name }

  /// Whether the thread was started and hasn't ended.
  var isRunning: Bool { isAtWork.load(ordering: .acquiring) }

  /// When the thread ended, in the active time of the run.
  var end: Duration? { ended.withLock { $0 } }

  /// Makes the source end with the samples that it has made so far.
  func askToEnd() { isAskedToEnd.store(true, ordering: .relaxed) }

  /// Starts the thread; it runs the source until its end, or until its samples aren't taken any
  /// more.
  func start(_ runner: sending SourceRunner, context: RunContext) {
    isAtWork.store(true, ordering: .releasing)
    let started = StreamingThread(name: name, running: runner) { [self] runner in
      context.asOwnThread(of: name) {
        runner.run(name: name, context: context) { isAskedToEnd.load(ordering: .relaxed) }
      }
      ended.withLock { $0 = context.log.active.now }
      isAtWork.store(false, ordering: .releasing)
    }
    thread.withLock { $0 = started }
  }

  /// Waits until the thread has ended: after its outputs were stopped.
  func join() { thread.withLock { $0.take() }?.join() }
}

/// A source and where it sends.
final class SourceRunner {
  private let source: Cell<any SourceNode>
  private let outputs: NodeOutputs
  private let onEnd: @Sendable () -> Void

  /// `onEnd` is called when the source has ended and everything that follows knows.
  init(source: any SourceNode, outputs: NodeOutputs, onEnd: @escaping @Sendable () -> Void) {
    self.source = Cell(source)
    self.outputs = outputs
    self.onEnd = onEnd
  }

  func run(name: String, context: RunContext, isAskedToEnd: () -> Bool) {
    defer { outputs.setAwaiting(false) }
    do {
      do { try produce(context, isAskedToEnd) } catch let stop as FlowStopped where stop.isEnough {
        // The consumer wants no more: an end like any other.
      }
      // What was cancelled has no end: what follows must not take this for that of the stream.
      guard !context.gate.isCancelled else { return }
      try outputs.finish()
      onEnd()
    } catch _ where context.gate.isAbandoned {
      // What the source waited for was stopped with the pipeline.
    } catch {
      // Where a flow was stopped, what stopped it knows better why.
      if !(error is FlowStopped) {
        context.fail(PipelineFailure(node: name, error, remedy: "look at what the source reads"))
      }
      // What follows ends all the same, so that files are closed with what has come.
      try? outputs.finish()
      onEnd()
    }
  }

  private func produce(_ context: RunContext, _ isAskedToEnd: () -> Bool) throws {
    try source.value.start(to: outputs)
    while !isAskedToEnd(), !context.gate.isAbandoned, try source.value.produce(to: outputs) {
      context.gate.pass()
    }
  }
}
