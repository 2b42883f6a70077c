import GraphKitSystem
import Media

/// How long the audio of a file is that is nothing but frames of MP3 or AAC (ADTS), one after the other:
/// only a walk from frame to frame tells.
package enum EncodedLength {
  private static let blockSize = 1 << 20
  /// The bytes of a frame's header that are looked at.
  private static let headerSize = 7

  /// A file's length; `nil` where it isn't of such frames. What is no frame is passed over.
  package static func duration(of file: File) -> MediaTime? {
    var (place, samples, rate) = (ID3Tag.end(in: file), 0, 0)
    var block: (start: Int, bytes: [UInt8]) = (0, [])
    while place + headerSize <= file.size {
      if place < block.start || place + headerSize > block.start + block.bytes.count {
        guard let bytes = try? file.read(at: place, count: blockSize), bytes.count >= headerSize
        else { break }
        block = (place, bytes)
      }
      guard let frame = frame(block.bytes, at: place - block.start) else {
        // Other files begin otherwise, and none of them is walked through byte by byte.
        guard samples > 0 else { return nil }
        place += 1
        continue
      }
      place += frame.size
      samples += frame.samples
      rate = frame.rate
    }
    return rate > 0 ? MediaTime(value: Int64(samples), timescale: Int32(rate)) : nil
  }

  /// The frame at a place; `nil` where there is none.
  private static func frame(
    _ bytes: [UInt8], at place: Int
  ) -> (size: Int, samples: Int, rate: Int)? {
    let header = bytes.span.extracting(place..<place + headerSize)
    guard header[0] == 0xff, header[1] & 0xe0 == 0xe0 else { return nil }
    return header[1] & 6 == 0 ? aacFrame(header) : mp3Frame(header)
  }

  private static func mp3Frame(_ header: Span<UInt8>) -> (size: Int, samples: Int, rate: Int)? {
    guard let frame = MP3FrameHeader(header), let bitRate = frame.bitRate else { return nil }
    let size = frame.samples / 8 * bitRate / frame.sampleRate + (frame.word >> 9 & 1)
    return (size, frame.samples, frame.sampleRate)
  }

  /// ISO/IEC 14496-3, 1.A.2.2: the layer is 0, and the length counts the header.
  private static func aacFrame(_ header: Span<UInt8>) -> (size: Int, samples: Int, rate: Int)? {
    let rates = ADTSFrames.rates
    let rate = Int(header[2] >> 2 & 15)
    let size = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5] >> 5)
    guard header[1] & 0xf6 == 0xf0, rate < rates.count, size >= headerSize else { return nil }
    return (size, 1_024 * (Int(header[6] & 3) + 1), rates[rate])
  }
}
