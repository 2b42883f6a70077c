import GraphKit

extension NodeHarness where N: SwiftNode {
  /// Gives the node a sample, on its only input where none is named. Throws what the node throws, and
  /// where the input isn't there or has ended, and where its port doesn't take the sample's format. Where
  /// the node takes no more of the input, that has ended then.
  public func push(_ sample: consuming SampleBuffer, to input: String? = nil) throws {
    try checkInputs()
    let index = try Self.index(of: input, among: inputs)
    if states[index].hasEnough { throw FlowStopped.enough }
    guard !states[index].isFinished else { throw HarnessError.inputFinished(inputs[index]) }
    do { try give(sample, to: index) } catch let stop as FlowStopped where stop.isEnough {
      states[index].hasEnough = true
      try finish(inputs[index])
      throw stop
    }
  }

  private func give(_ sample: consuming SampleBuffer, to index: Int) throws {
    try announce(sample.format, on: index)
    states[index].frames += sample.frameCount
    // A closure can't consume what it captures, but it can empty an optional.
    var pending = Optional(sample)
    try call { node, outputs in
      if let sample = pending.take() { try node.process(sample, on: index, to: outputs) }
    }
  }

  /// Gives the node PCM samples as one block that begins where the last one ended. Throws where they are
  /// of another size than the format's samples, or make no whole frames. Bytes may be given for any.
  public func push<Value: BitwiseCopyable>(
    _ values: [Value], format: AudioFormat, to input: String? = nil
  ) throws {
    let index = try Self.index(of: input, among: inputs)
    let size = MemoryLayout<Value>.stride
    let areBytes = Value.self == UInt8.self
    guard areBytes || size * format.channels == format.bytesPerFrame,
      (values.count * size).isMultiple(of: format.bytesPerFrame)
    else {
      throw HarnessError.wrongValues("\(values.count) values of \(Value.self)", format: format)
    }
    try push(
      SampleBuffer(
        pcm: values, format: try description(of: .audio(format), on: index),
        start: states[index].frames),
      to: inputs[index])
  }

  /// Gives the node samples, one after another.
  public func push(_ samples: [CollectedSample], to input: String? = nil) throws {
    for collected in samples { try push(collected.sample.share(), to: input) }
  }

  /// Ends an input, or all that are open. When none is left the node sends what it holds.
  public func finish(_ input: String? = nil) throws {
    try checkInputs()
    let ending = try input.map { [try Self.index(of: $0, among: inputs)] } ?? Array(inputs.indices)
    let wasOpen = states.contains { !$0.isFinished }
    for index in ending where !states[index].isFinished {
      states[index].isFinished = true
      beginIfNeeded()
      try call { node, outputs in try node.finish(input: index, to: outputs) }
    }
    guard wasOpen, states.allSatisfy(\.isFinished) else { return }
    try call { node, outputs in try node.finish(to: outputs) }
    for collector in collectors { try collector.finish() }
  }

  private func beginIfNeeded() {
    guard !hasBegun else { return }
    hasBegun = true
    node.settle(
      formats: Dictionary(uniqueKeysWithValues: inputs.map { ($0, FormatConstraint(.any)) }))
  }

  private func announce(_ format: FormatDescription, on index: Int) throws {
    guard states[index].format?.format != format.format else { return }
    states[index].format = format
    beginIfNeeded()
    try call { node, outputs in try node.prepare(for: format, on: index, to: outputs) }
    // A node that refuses it itself says more of why.
    guard let taken = node.portDeclarations.input(named: inputs[index])?.format,
      !taken.ofAnySize.takes(format.format)
    else { return }
    states[index].format = nil
    throw HarnessError.refusedFormat(format.format, port: inputs[index], takes: taken)
  }

  private func description(of format: MediaFormat, on index: Int) throws -> FormatDescription {
    if let known = states[index].format, known.format == format { return known }
    return try FormatDescription(format)
  }
}

extension NodeHarness where N: SourceNode {
  /// Lets the source make samples until it ends, or until `rounds` calls are over. Returns whether
  /// it has ended.
  @discardableResult
  public func run(rounds: Int = 100_000) throws -> Bool {
    guard !collectors.allSatisfy(\.hasEnded) else { return true }
    if !hasStarted {
      hasStarted = true
      try call { node, outputs in try node.start(to: outputs) }
    }
    for _ in 0..<rounds {
      if try call({ node, outputs in try node.produce(to: outputs) }) { continue }
      for collector in collectors { try collector.finish() }
      return true
    }
    return false
  }
}
