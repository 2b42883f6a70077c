import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct EventEncodingTests {
  typealias Kind = PipelineEvent.Kind

  @Test(arguments: [
    (Kind.state(.running), #""event": "state", "state": "running""#),
    (
      .progress(.init(position: 1, duration: 4, speed: 2, secondsLeft: 1.5)),
      #""event": "progress", "position": 1, "duration": 4, "fraction": 0.25, "speed": 2, "#
        + #""secondsLeft": 1.5"#
    ),
    (
      .progress(.init(position: 1, duration: nil, speed: 1, secondsLeft: nil)),
      #""event": "progress", "position": 1, "speed": 1"#
    ),
    (
      .readiness(wire: "a -> b", isReady: false, cause: "full"),
      #""event": "readiness", "wire": "a -> b", "ready": false, "cause": "full""#
    ),
    (
      .drop(wire: "a -> b", reason: .wireFull),
      #""event": "drop", "wire": "a -> b", "reason": "wireFull""#
    ),
    (
      .parameter(
        ParameterChange(
          node: "gain", parameter: "decibels", value: -6, requested: nil,
          applied: MediaTime(value: 3, timescale: 2))),
      #""event": "parameter", "node": "gain", "parameter": "decibels", "value": -6, "#
        + #""applied": 1.5"#
    ),
    (
      .economy(
        EconomyChange(
          step: "set blur.passes=1", isTaken: true, position: 1.5, cause: "a -> b was 60 % full")),
      #""event": "economy", "step": "set blur.passes=1", "taken": true, "position": 1.5, "#
        + #""cause": "a -> b was 60 % full""#
    ),
    (
      .mark(Mark(node: "movie", title: "goal", time: MediaTime(value: 3, timescale: 2))),
      #""event": "mark", "node": "movie", "title": "goal", "position": 1.5"#
    ),
    (
      .measurement(node: "meter", values: ["peak": .array([.number(-6), .null])]),
      #""event": "measurement", "node": "meter", "values": { "peak": [-6, null] }"#
    ),
    (.warning(node: nil, message: "m"), #""event": "warning", "message": "m""#),
    (.end(.failed), #""event": "end", "state": "failed""#),
  ])
  func isOneLine(kind: Kind, line: String) throws {
    let event = PipelineEvent(time: 0.5, kind: kind)
    #expect(try JSONTree(encoding: event).jsonLine == #"{ "time": 0.5, "# + line + " }")
  }
}
