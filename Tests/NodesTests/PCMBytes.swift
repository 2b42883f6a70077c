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
