import Foundation

/// Samples as bytes and back, and waves: of millions of samples, which is why this module is
/// optimized in debug builds, too.
public enum PCM {
  /// Little-endian bytes.
  public static func bytes(of samples: [Int16]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * 2)
    for sample in samples {
      let bits = UInt16(bitPattern: sample)
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
    }
    return bytes
  }

  /// Integers of little-endian bytes; a last odd byte counts for nothing.
  public static func integers(_ bytes: [UInt8]) -> [Int16] {
    var samples: [Int16] = []
    samples.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      samples.append(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
    }
    return samples
  }

  /// Floating-point values of little-endian bytes; what is left of four bytes counts for nothing.
  public static func floats(_ bytes: [UInt8]) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(bytes.count / 4)
    for index in stride(from: 0, to: bytes.count - 3, by: 4) {
      let low = UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8
      let high = UInt32(bytes[index + 2]) << 16 | UInt32(bytes[index + 3]) << 24
      samples.append(Float(bitPattern: low | high))
    }
    return samples
  }

  /// Every second value: of points that are one sample each, low and high, the samples.
  public static func everySecond(of values: [Int16]) -> [Int16] {
    var found: [Int16] = []
    found.reserveCapacity((values.count + 1) / 2)
    for index in stride(from: 0, to: values.count, by: 2) { found.append(values[index]) }
    return found
  }

  /// By how much values differ at most, and how many of them by more than two, as far as both go.
  public static func difference(_ one: [Int16], _ other: [Int16]) -> (most: Int, count: Int) {
    var (most, count) = (0, 0)
    for index in 0..<min(one.count, other.count) {
      let difference = abs(Int(one[index]) - Int(other[index]))
      most = max(most, difference)
      if difference > 2 { count += 1 }
    }
    return (most, count)
  }

  /// By how much values differ at most, as far as both go; not a number where one of them is none.
  public static func largestDifference(_ one: [Float], _ other: [Float]) -> Float {
    var most: Float = 0
    for index in 0..<min(one.count, other.count) {
      let difference = abs(one[index] - other[index])
      guard !difference.isNaN else { return .nan }
      most = max(most, difference)
    }
    return most
  }

  /// A tone and a sweep of which no second is like another, the same on each channel.
  public static func sweep(frames: Int, sampleRate: Int, channels: Int) -> [Int16] {
    var samples: [Int16] = []
    samples.reserveCapacity(frames * channels)
    for frame in 0..<frames {
      let t = Double(frame) / Double(sampleRate)
      let level = 0.4 * sin(880 * .pi * t) + 0.2 * sin(.pi * (200 + 1800 * t) * t)
      let sample = Int16((level * 32_768).rounded(.toNearestOrEven))
      for _ in 0..<channels { samples.append(sample) }
    }
    return samples
  }

  /// The bytes of a WAV file of 16-bit samples.
  public static func waveFile(_ samples: [Int16], sampleRate: Int, channels: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = samples.count * 2
    return Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
      + number(1, 2) + number(channels, 2) + number(sampleRate, 4)
      + number(sampleRate * channels * 2, 4) + number(channels * 2, 2) + number(16, 2)
      + Array("data".utf8) + number(size, 4) + bytes(of: samples)
  }

  /// The samples of a WAV file of 16-bit integers, or of floating-point values, which are rounded.
  public struct Wave {
    /// A WAV file of another kind.
    public struct Unread: Error { var path: String }

    public private(set) var sampleRate = 0
    public private(set) var channels = 0
    public private(set) var samples: [Int16] = []

    public init(_ path: String) throws {
      let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
      func number(_ place: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) }
      }
      var (place, format, bits) = (12, 0, 0)
      while place + 8 <= file.count {
        let (name, size) = (Array(file[place..<place + 4]), number(place + 4, 4))
        place += 8
        if name == Array("fmt ".utf8), size >= 16, place + size <= file.count {
          (format, bits) = (number(place, 2), number(place + 14, 2))
          // The extensible header has the format's code first in an identifier.
          if format == 0xFFFE, size >= 26 { format = number(place + 24, 2) }
          (channels, sampleRate) = (number(place + 2, 2), number(place + 4, 4))
        }
        if name == Array("data".utf8) {
          let data = Array(file[place...].prefix(size))
          switch (format, bits) {
          case (1, 16): samples = integers(data)
          case (3, 32): samples = floats(data).map(rounded)
          default: throw Unread(path: path)
          }
          return
        }
        place += size + size % 2
      }
      throw Unread(path: path)
    }
  }

  /// The samples of such a WAV file.
  public static func samples(ofWave path: String) throws -> [Int16] { try Wave(path).samples }

  fileprivate static func rounded(_ level: Float) -> Int16 {
    Int16(min(max((level * 32_768).rounded(.toNearestOrEven), -32_768), 32_767))
  }
}
