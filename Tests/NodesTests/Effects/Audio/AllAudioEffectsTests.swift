import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

/// What every audio effect must do, asked of all in one table.
@Suite("every audio effect", .inTurn) struct AllAudioEffectsTests {
  struct Question: Sendable, CustomTestStringConvertible {
    var effect: AudioEffectCase
    var format: AudioFormat
    var testDescription: String {
      "\(effect.name) \(format.sampleFormat) \(format.channels) \(format.layout)"
    }
  }

  static let questions = AudioEffectCase.all.flatMap { effect in
    effect.samples.flatMap { sample in
      effect.layouts.flatMap { layout in
        effect.channels.map { channels in
          Question(
            effect: effect,
            format: AudioFormat(sample, sampleRate: 48_000, channels: channels, layout: layout))
        }
      }
    }
  }

  private static let frames = 300

  @Test func theTableHasEveryEffectThatIsWrittenInSwift() {
    let effects = Catalog.builtIn.all.filter { type in
      type.role == .effect && type.make().work.swiftNode != nil
        && type.ports.contains { $0.direction == .input && $0.format.kind == .audio }
    }
    #expect(
      effects.map(\.name).sorted() == AudioEffectCase.all.map(\.name).sorted(),
      "give each its row in AudioEffectCase.all")
  }

  @Test(arguments: questions)
  func changesNoBitAtRest(_ question: Question) throws {
    guard let rest = question.effect.rest else { return }
    let sound = Sound(.noise(seed: 3), frames: Self.frames, question.format)
    #expect(try rest(sound) == sound)
  }

  /// The comparison of all cuts is within.
  @Test(arguments: questions)
  func changesSoundTheSameInEveryCut(_ question: Question) throws {
    let sound = Sound(.noise(seed: 4), frames: Self.frames, question.format)
    let changed = try question.effect.work(sound)
    #expect(changed != sound || question.effect.isSlow)
    #expect(changed.levels.count == sound.levels.count)
  }

  @Test(arguments: questions)
  func silenceStaysSilence(_ question: Question) throws {
    let silence = Sound(.silence, frames: Self.frames, question.format)
    #expect(try question.effect.work(silence) == silence)
  }

  @Test(arguments: questions.filter { $0.format.sampleFormat == .f32 })
  func whatIsNoNumberSpoilsNothing(_ question: Question) throws {
    let channels = question.format.channels
    var values = AudioSignal.noise(seed: 5).values(
      0..<Self.frames, sampleRate: 48_000, channels: channels)
    let spoilt: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .signalingNaN]
    for (index, value) in spoilt.enumerated() { values[(100 + index) * channels] = value }
    let changed = try question.effect.work(.floats(values, question.format)).levels
    #expect(changed.allSatisfy { $0.isFinite })
    #expect(changed.count == values.count)
  }

  @Test func anEmptyStreamEnds() throws {
    for question in Self.questions {
      let none = Sound(.silence, frames: 0, question.format)
      #expect(try question.effect.work(none) == none, "\(question)")
    }
  }
}
