extension PipelineEvent: Encodable {
  private enum Key: String, CodingKey {
    case time, event, state, position, duration, fraction, speed, secondsLeft, pass
    case wire, ready, cause, reason, node, message, title, awaySeconds, values
    case step, taken
  }

  /// Writes the time, the event's name, and what belongs to it, all at one level.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(time.rounded(to: 6), forKey: .time)
    try container.encode(kind.name.rawValue, forKey: .event)
    switch kind {
    case .state(let state), .end(let state): try container.encode(state, forKey: .state)
    case .progress(let progress): try encode(progress, to: &container)
    case .readiness(let wire, let isReady, let cause):
      try container.encode(wire, forKey: .wire)
      try container.encode(isReady, forKey: .ready)
      try container.encodeIfPresent(cause, forKey: .cause)
    case .drop(let wire, let reason):
      try container.encode(wire, forKey: .wire)
      try container.encode(reason, forKey: .reason)
    case .parameter(let change): try change.encode(to: encoder)
    case .economy(let change):
      try container.encode(change.step, forKey: .step)
      try container.encode(change.isTaken, forKey: .taken)
      try container.encode(change.position.rounded(to: 6), forKey: .position)
      try container.encode(change.cause, forKey: .cause)
    case .mark(let mark):
      // Its `time` would be that of the event.
      try container.encode(mark.node, forKey: .node)
      try container.encode(mark.title, forKey: .title)
      try container.encode(mark.time.seconds.rounded(to: 6), forKey: .position)
    case .connection(let node, let change):
      try container.encode(node, forKey: .node)
      try container.encode(change.state, forKey: .state)
      try container.encodeIfPresent(change.reason, forKey: .reason)
      try container.encodeIfPresent(change.awaySeconds?.rounded(to: 3), forKey: .awaySeconds)
    case .measurement(let node, let values):
      try container.encode(node, forKey: .node)
      try container.encode(JSONValue.object(values), forKey: .values)
    case .warning(let node, let message):
      try container.encodeIfPresent(node, forKey: .node)
      try container.encode(message, forKey: .message)
    }
  }

  private func encode(
    _ progress: Progress, to container: inout KeyedEncodingContainer<Key>
  ) throws {
    try container.encode(progress.position.rounded(to: 6), forKey: .position)
    try container.encodeIfPresent(progress.duration?.rounded(to: 6), forKey: .duration)
    try container.encodeIfPresent(progress.fraction?.rounded(to: 6), forKey: .fraction)
    try container.encode(progress.speed.rounded(to: 3), forKey: .speed)
    try container.encodeIfPresent(progress.secondsLeft?.rounded(to: 3), forKey: .secondsLeft)
    try container.encodeIfPresent(progress.pass, forKey: .pass)
  }
}

extension PipelineEvent.Kind {
  /// The event's name in JSON.
  public var name: PipelineEvent.Name {
    switch self {
    case .state: .state
    case .progress: .progress
    case .readiness: .readiness
    case .drop: .drop
    case .parameter: .parameter
    case .economy: .economy
    case .mark: .mark
    case .connection: .connection
    case .measurement: .measurement
    case .warning: .warning
    case .end: .end
    }
  }
}
