/// Where a pipeline is on its way. It ends in exactly one of the last three, once.
public enum PipelineState: String, Sendable, Hashable, Codable {
  case idle, preparing, running, paused, finishing
  case completed, failed, cancelled

  /// Whether the pipeline has ended.
  public var isEnd: Bool { self == .completed || self == .failed || self == .cancelled }
}

/// What happens to a pipeline, from outside and from within.
enum PipelineInput: Hashable, Sendable {
  case start, pause, resume, finish, cancelRequested
  /// Everything is made and started.
  case prepared
  /// Every sink has reached its end.
  case sinksEnded
  /// Everything plays: only now its time means anything.
  case played
  /// Something went wrong.
  case failure
  /// An element refused its state; it has put its reason on the bus.
  case refused
}

/// What the scheduler does next, as the state machine says.
enum PipelineAction: Hashable, Sendable {
  case prepare, play, hold, endSources, endSinks, tearDown
}

extension PipelineState {
  /// The state after `input`, and what to do. What makes no sense in a state changes nothing, so
  /// every call is safe at any time.
  func after(_ input: PipelineInput, hasFailed: Bool) -> (
    state: PipelineState, actions: [PipelineAction]
  ) {
    switch (self, input) {
    case (.idle, .start): (.preparing, [.prepare])
    case (.preparing, .prepared): (.running, [.play])
    case (.running, .pause): (.paused, [.hold])
    case (.paused, .resume): (.running, [.play])
    case (.running, .finish): (.finishing, [.endSources])
    case (.paused, .finish): (.finishing, [.play, .endSources])
    case (.running, .failure), (.paused, .failure): (.finishing, [.play, .endSinks])
    case (.preparing, .failure): (.failed, [.tearDown])
    case (.finishing, .failure): (.finishing, [.endSinks])
    // Of one that is paused, it is said again as soon as it goes on.
    case (.running, .sinksEnded), (.finishing, .sinksEnded):
      (hasFailed ? .failed : .completed, [.tearDown])
    case (.idle, .cancelRequested), (.preparing, .cancelRequested), (.running, .cancelRequested),
      (.paused, .cancelRequested),
      (.finishing, .cancelRequested):
      (.cancelled, [.tearDown])
    case (.preparing, .finish), (.idle, .finish): (.cancelled, [.tearDown])
    default: (self, [])
    }
  }
}
