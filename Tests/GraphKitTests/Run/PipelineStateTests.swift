import TestTools
import Testing

@testable import GraphKit

@Suite("The pipeline's state machine", .inTurn)
struct PipelineStateTests {
  private static let inputs: [PipelineInput] = [
    .start, .prepared, .pause, .resume, .finish, .cancelRequested, .sinksEnded, .failure,
  ]

  /// For each state and input the next state and what to do; what isn't here changes nothing.
  private static let moves: [PipelineState: [PipelineInput: (PipelineState, [PipelineAction])]] = [
    .idle: [
      .start: (.preparing, [.prepare]),
      .finish: (.cancelled, [.tearDown]),
      .cancelRequested: (.cancelled, [.tearDown]),
    ],
    .preparing: [
      .prepared: (.running, [.play]),
      .finish: (.cancelled, [.tearDown]),
      .cancelRequested: (.cancelled, [.tearDown]),
      .failure: (.failed, [.tearDown]),
    ],
    .running: [
      .pause: (.paused, [.hold]),
      .finish: (.finishing, [.endSources]),
      .cancelRequested: (.cancelled, [.tearDown]),
      .sinksEnded: (.completed, [.tearDown]),
      .failure: (.finishing, [.play, .endSinks]),
    ],
    .paused: [
      .resume: (.running, [.play]),
      .finish: (.finishing, [.play, .endSources]),
      .cancelRequested: (.cancelled, [.tearDown]),
      .failure: (.finishing, [.play, .endSinks]),
    ],
    .finishing: [
      .cancelRequested: (.cancelled, [.tearDown]),
      .sinksEnded: (.completed, [.tearDown]),
      .failure: (.finishing, [.endSinks]),
    ],
  ]

  private static let states: [PipelineState] = [
    .idle, .preparing, .running, .paused, .finishing, .completed, .failed, .cancelled,
  ]

  @Test("every state answers every input", arguments: states)
  func table(state: PipelineState) {
    for input in Self.inputs {
      let (next, actions) = state.after(input, hasFailed: false)
      let wanted = Self.moves[state]?[input] ?? (state, [])
      #expect(next == wanted.0, "\(state) after \(input)")
      #expect(actions == wanted.1, "\(state) after \(input)")
    }
  }

  @Test("an end is final, and reached with exactly one tear-down", arguments: inputs)
  func ends(input: PipelineInput) {
    for state in Self.states {
      let (next, actions) = state.after(input, hasFailed: true)
      #expect(!state.isEnd || (next == state && actions.isEmpty))
      #expect(actions.contains(.tearDown) == (next.isEnd && !state.isEnd))
    }
  }

  @Test(
    "sinks that end after a failure end a failed run",
    arguments: [
      PipelineState.running, .finishing,
    ])
  func failedEnd(state: PipelineState) {
    #expect(state.after(.sinksEnded, hasFailed: true).state == .failed)
  }
}
