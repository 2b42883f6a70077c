import GraphKit

/// Nodes that behave well or badly, for tests of the harness itself.
enum HarnessNodes {
  /// Holds some values back until more come, or the end does.
  struct Delay: SwiftNode {
    static let declaration = NodeDeclaration<Delay>(
      "delay", role: .effect, help: "Holds values back.", example: "a -> delay")
    static let ports = EffectPorts<Audio>(.audio([.s16]))
    var length = 1
    var prepared: [MediaFormat] = []
    private var held: [Int16] = []
    private var format: FormatDescription?

    init() {}
    init(length: Int) { self.length = length }

    mutating func prepare(
      for format: FormatDescription, on input: Int, to outputs: NodeOutputs
    ) throws {
      prepared.append(format.format)
      self.format = format
      try outputs.announce(format, on: 0)
    }

    mutating func process(
      _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
    ) throws {
      sample.withSamples(as: Int16.self) { span in
        for index in span.indices { held.append(span[index]) }
      }
      try send(held.count - length, to: outputs)
    }

    mutating func finish(to outputs: NodeOutputs) throws { try send(held.count, to: outputs) }

    private mutating func send(_ count: Int, to outputs: NodeOutputs) throws {
      guard count > 0, let format else { return }
      let values = Array(held.prefix(count))
      held.removeFirst(count)
      var bytes: [UInt8] = []
      for value in values {
        bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
      var sample = SampleBuffer(bytes: bytes, format: format)
      sample.presentationTime = .zero
      try outputs.send(sample)
    }
  }

  /// Takes from several inputs, and notes which.
  struct Joiner: SwiftNode {
    struct Ports: PortSet {
      let input = InputPort<Audio>("in", isRepeatable: true, help: "Sound.")
      let output = OutputPort<Audio>("out", help: "Sound.")
    }
    static let declaration = NodeDeclaration<Joiner>(
      "joiner", role: .general, help: "Joins.", example: "a -> joiner")
    static let ports = Ports()
    var order: [Int] = []
    var hasFinished = false

    mutating func process(
      _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
    ) throws {
      order.append(input)
      try outputs.send(sample)
    }

    mutating func finish(to outputs: NodeOutputs) throws { hasFinished = true }
  }

  /// Takes one kind of samples.
  struct Strict: SwiftNode {
    static let declaration = NodeDeclaration<Strict>(
      "strict", role: .effect, help: "Passes floats in pairs.", example: "a -> strict")
    static let ports = EffectPorts<Audio>(
      .audio([.f32], layouts: [.interleaved], channels: [2]))

    mutating func process(
      _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
    ) throws { try outputs.send(sample) }
  }

  /// Goes on whatever its output says.
  struct Deaf: SwiftNode {
    static let declaration = NodeDeclaration<Deaf>(
      "deaf", role: .effect, help: "Hears nothing.", example: "a -> deaf")
    static let ports = EffectPorts<Audio>()

    mutating func process(
      _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
    ) throws {
      try? outputs.send(sample)
    }
  }

  /// Hands on.
  struct Relay: AudioEffect {
    static let declaration = NodeDeclaration<Relay>(
      "relay", role: .effect, help: "Hands on.", example: "a -> relay")
    static let ports = EffectPorts<Audio>()
    mutating func process(_ block: inout AudioBlock) throws {}
  }

  /// Writes into each block the values' own places, from zero in each block: wrong.
  struct Numberer: AudioEffect {
    static let declaration = NodeDeclaration<Numberer>(
      "numberer", role: .effect, help: "Numbers.", example: "a -> numberer")
    static let ports = EffectPorts<Audio>(.audio([.s16]))

    mutating func process(_ block: inout AudioBlock) throws {
      var samples = block.samples(as: Int16.self)
      for index in samples.indices { samples[index] = Int16(truncatingIfNeeded: index) }
    }
  }

  /// Sends less than a frame.
  struct Cutter: SwiftNode {
    static let declaration = NodeDeclaration<Cutter>(
      "cutter", role: .effect, help: "Cuts a byte off.", example: "a -> cutter")
    static let ports = EffectPorts<Audio>(.audio([.s16]))

    init() {}

    mutating func process(
      _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
    ) throws {
      var sample = sample
      sample.trim(offset: 0, byteCount: sample.byteCount - 1)
      try outputs.send(sample)
    }
  }
}
