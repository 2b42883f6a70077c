import AssetIO
import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct ReadySampleBufferTests {
  let format = AudioFormat(.s16, sampleRate: 48_000, channels: 1)

  @Test func staysAsItIsThoughAHolderWrites() throws {
    var sample = SampleBuffer(bytes: [1, 0, 2, 0], format: try FormatDescription(.audio(format)))
    sample.presentationTime = MediaTime(value: 1, timescale: 2)
    let ready = ReadySampleBuffer(sample)

    var copy = ready.share()
    copy.withMutableElements(as: Int16.self) { $0[0] = 7 }

    #expect(ready.withSamples(as: Int16.self) { [$0[0], $0[1]] } == [1, 2])
    #expect(copy.withSamples(as: Int16.self) { [$0[0], $0[1]] } == [7, 2])
    #expect(ready.frameCount == 2)
    #expect(ready.presentationTime == MediaTime(value: 1, timescale: 2))
  }
}
