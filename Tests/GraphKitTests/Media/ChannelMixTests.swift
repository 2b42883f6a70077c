import TestTools
import Testing

@testable import Media

/// Channels are mixed as ITU-R BS.775 has it, and come from and go to the speakers that caps name.
@Suite(.inTurn) struct ChannelMixTests {
  private let side: Speakers = [.threeZero, .lowFrequency, .sideLeft, .sideRight]

  @Test func fiveOneInStereo() {
    let mix = ChannelMix(from: .fiveOne, to: .stereo)
    let sum = 1 + 2 * 0.5.squareRoot()
    let expected = [
      [1, 0, 0.5.squareRoot(), 0, 0.5.squareRoot(), 0].map { $0 / sum },
      [0, 1, 0.5.squareRoot(), 0, 0, 0.5.squareRoot()].map { $0 / sum },
    ]
    #expect(mix.factors == expected)
  }

  @Test func surroundIsTheSameAtTheSideAndAtTheBack() {
    #expect(ChannelMix(from: side, to: .fiveOne) == ChannelMix(keeping: 6))
    #expect(ChannelMix(from: .fiveOne, to: side) == ChannelMix(keeping: 6))
  }

  @Test func sidesAndBacksShareTheBacks() {
    let sum = 1 + 0.5.squareRoot()
    let mix = ChannelMix(from: .sevenOne, to: .fiveOne)
    #expect(mix.factors[4] == [0, 0, 0, 0, 1, 0, 0.5.squareRoot(), 0].map { $0 / sum })
    #expect(mix.factors[0] == [1, 0, 0, 0, 0, 0, 0, 0].map { $0 / sum })
  }

  @Test func whatIsMissingStaysSilent() {
    let mix = ChannelMix(from: .stereo, to: .fiveOne)
    #expect(mix.factors == [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]])
  }

  @Test func channelsLeaveInAnotherOrder() {
    let mix = ChannelMix(keeping: 3).reordered([0, 2, 1])
    #expect(mix.factors == [[1, 0, 0], [0, 0, 1], [0, 1, 0]])
  }

  @Test(arguments: [
    (AudioFormat(.s16, sampleRate: 48_000, channels: 3, speakers: [.stereo, .lowFrequency]), "b"),
    (AudioFormat(.s16, sampleRate: 48_000, channels: 7), "d0f"),
    (AudioFormat(.s16, sampleRate: 48_000, channels: 6), "3f"),
    (AudioFormat(.s16, sampleRate: 48_000, channels: 12), "0"),
  ])
  func capsNameSpeakers(format: AudioFormat, mask: String) {
    let text = MediaFormat.audio(format).capsText
    #expect(text.hasSuffix("0" + mask), "\(text)")
    #expect(MediaFormat(capsText: text) == .audio(format))
  }

  @Test func speakersThatDoNotFitAreTheUsual() {
    var format = AudioFormat(.s16, sampleRate: 48_000, channels: 4, speakers: .fiveOne)
    #expect(format.speakers == .quad)
    format.speakers = [.threeZero, .backCenter]
    #expect(format.description.hasSuffix("4 channels (4.0)"))
    format.channels = 6
    #expect(format.speakers == .fiveOne)
  }
}
