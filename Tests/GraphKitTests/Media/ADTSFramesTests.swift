import Testing

@testable import Containers

/// The frames of AAC in a stream: by their headers, as ISO/IEC 14496-3 has them.
@Suite(.inTurn) struct ADTSFramesTests {
  /// A frame of AAC-LC, stereo, 48 kHz, with bytes of some value.
  private func frame(_ value: UInt8, count: Int, channels: UInt8 = 2, blocks: UInt8 = 1) -> [UInt8]
  {
    let size = count + 7
    return [
      0xff, 0xf1, 1 << 6 | 3 << 2 | channels >> 2, (channels & 3) << 6 | UInt8(size >> 11),
      UInt8(size >> 3 & 0xff), UInt8(size & 7) << 5 | 0x1f, 0xfc | (blocks - 1),
    ] + [UInt8](repeating: value, count: count)
  }

  private func frames(_ pieces: [[UInt8]]) -> [[ADTSFrames.Frame]] {
    var reader = ADTSFrames()
    return pieces.map { piece in
      reader.append(piece.span)
      var found: [ADTSFrames.Frame] = []
      while let frame = reader.next() { found.append(frame) }
      return found
    }
  }

  @Test func aFrameIsGivenWithItsLastByte() throws {
    let found = frames([frame(1, count: 300) + frame(2, count: 4), frame(3, count: 4)])
    #expect(
      found.map { $0.map(\.bytes) } == [
        [Array(repeating: 1, count: 300), [2, 2, 2, 2]], [[3, 3, 3, 3]],
      ])
    let header = try #require(found.first?.first?.header)
    #expect(header.configuration == [0x11, 0x90])
    #expect(header.sampleRate == 48_000 && header.channels == 2)
  }

  @Test func framesMayBeCutAnywhere() {
    let stream = [1, 2, 3, 4].map { frame($0, count: 20) }
    let bytes = stream.flatMap { $0 }
    for cut in 0...bytes.count {
      let found = frames([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(found.flatMap { $0 }.map(\.bytes) == stream.map { Array($0[7...]) })
      // The first that begins in the second piece is the one that a time of it is for.
      let first = found[1].first { $0.beginsInLast }?.bytes.first.map(Int.init)
      #expect(first == (cut > 81 ? nil : (cut + 26) / 27 + 1))
    }
  }

  @Test func bytesBetweenFramesAreLeftOut() {
    let junk: [UInt8] = [0xff, 0xf1, 0x4c, 0x80, 0x02, 0x1f, 0xfc, 5, 0xff]
    let bytes =
      junk + frame(1, count: 30) + frame(2, count: 30) + [0xff, 0, 5] + frame(3, count: 30)
      + frame(4, count: 30)
    #expect(
      frames([bytes]).flatMap { $0 }.compactMap(\.bytes.first).filter { $0 < 5 } == [1, 2, 3, 4])
  }

  @Test func someFramesHaveNoConfiguration() {
    for bytes in [frame(1, count: 9, channels: 0), frame(1, count: 9, blocks: 2)] {
      let found = frames([bytes + bytes]).flatMap { $0 }
      #expect(found.count == 2 && found.allSatisfy { $0.header.configuration == nil })
    }
  }

  @Test func theRestBeginsWithTheLastFrame() {
    var reader = ADTSFrames()
    let second = frame(2, count: 9, channels: 0) + frame(3, count: 9) + [0xff]
    reader.append((frame(1, count: 9) + second).span)
    #expect(reader.next()?.bytes.first == 1 && reader.next()?.bytes.first == 2)
    #expect(reader.takeRest() == second)
    #expect(reader.takeRest() == [])
  }

  @Test func anyBytesEnd() {
    var state: UInt64 = 3
    for _ in 0..<200 {
      let bytes = (0..<500).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let value = UInt8(state >> 40 & 0xff)
        return [0xff, 0xf1, value][Int((state >> 33) % 3)]
      }
      let found = frames([bytes, bytes]).flatMap { $0 }
      #expect(found.map(\.bytes.count).reduce(0, +) <= 1000)
    }
  }
}
