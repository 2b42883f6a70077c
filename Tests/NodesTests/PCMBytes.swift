import TestTools

func bytes<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
  values.flatMap { value in
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Value($0 * 8)) }
  }
}

func bytes(_ values: [Int16]) -> [UInt8] { PCM.bytes(of: values) }

func bytes(_ values: [Float]) -> [UInt8] { bytes(values.map(\.bitPattern)) }

func integers(_ bytes: [UInt8]) -> [Int16] { PCM.integers(bytes) }

func floats(_ bytes: [UInt8]) -> [Float] { PCM.floats(bytes) }
