import GraphKit

/// Collects what a node sends.
final class Collector: SampleTarget {
  var formats: [FormatDescription] = []
  var samples: [[UInt8]] = []

  func announce(_ format: FormatDescription) { formats.append(format) }

  func receive(_ sample: consuming SampleBuffer) {
    samples.append(sample.withBytes { span in span.indices.map { span[$0] } })
  }

  func finish() {}
}

/// Runs a node over samples of one format; returns the bytes of what it sends.
func run(_ node: some SwiftNode, _ format: MediaFormat, _ samples: [[UInt8]]) throws -> [[UInt8]] {
  var node = node
  let collector = Collector()
  let outputs = NodeOutputs([collector])
  let description = try FormatDescription(format)
  try node.prepare(for: description, on: 0, to: outputs)
  for bytes in samples {
    try node.process(SampleBuffer(bytes: bytes, format: description), on: 0, to: outputs)
  }
  return collector.samples
}

func bytes<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
  values.flatMap { value in
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Value($0 * 8)) }
  }
}

func bytes(_ values: [Float]) -> [UInt8] { bytes(values.map(\.bitPattern)) }

func integers(_ bytes: [UInt8]) -> [Int16] {
  stride(from: 0, to: bytes.count - 1, by: 2).map {
    Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
  }
}

func floats(_ bytes: [UInt8]) -> [Float] {
  stride(from: 0, to: bytes.count - 3, by: 4).map { start in
    Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32($1 * 8) })
  }
}
