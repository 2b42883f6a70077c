import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

/// What every audio effect of the catalog must do.
@Suite("every audio effect", .inTurn) struct AllAudioEffectsTests {
  struct Question: Sendable, CustomTestStringConvertible {
    var effect: AudioEffectCase
    var format: AudioFormat
    var testDescription: String {
      "\(effect.type.name) \(format.sampleFormat) \(format.channels) \(format.layout)"
    }
  }

  static let questions = AudioEffectCase.all.flatMap { effect in
    effect.formats.map { Question(effect: effect, format: $0) }
  }

  private static let frames = 300

  @Test func everyEffectIsAskedInSomeFormat() {
    #expect(AudioEffectCase.all.count >= 9)
    for effect in AudioEffectCase.all { #expect(!effect.formats.isEmpty, "\(effect.type)") }
  }

  @Test(arguments: questions.filter { $0.effect.rest != nil })
  func changesNoBitAtRest(_ question: Question) throws {
    let sound = Sound(.noise(seed: 3), frames: Self.frames, question.format)
    #expect(try question.effect.pass(sound, question.effect.rest ?? [:]) == sound)
  }

  /// The comparison of all cuts is within.
  @Test(arguments: questions)
  func changesSoundTheSameInEveryCut(_ question: Question) throws {
    let sound = Sound(.noise(seed: 4), frames: Self.frames, question.format)
    let changed = try question.effect.pass(sound, question.effect.work ?? [:])
    #expect(changed != sound || question.effect.work == nil)
    #expect(changed.levels.count == sound.levels.count)
  }

  @Test(arguments: questions)
  func silenceStaysSilence(_ question: Question) throws {
    let silence = Sound(.silence, frames: Self.frames, question.format)
    #expect(try question.effect.pass(silence, question.effect.work ?? [:]) == silence)
  }

  @Test(arguments: questions.filter { $0.format.sampleFormat == .f32 })
  func whatIsNoNumberSpoilsNothing(_ question: Question) throws {
    let channels = question.format.channels
    var values = AudioSignal.noise(seed: 5).values(
      0..<Self.frames, sampleRate: 48_000, channels: channels)
    let spoilt: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .signalingNaN]
    for (index, value) in spoilt.enumerated() { values[(100 + index) * channels] = value }
    let changed = try question.effect.pass(
      .floats(values, question.format), question.effect.work ?? [:]
    ).levels
    #expect(changed.allSatisfy { $0.isFinite })
    #expect(changed.count == values.count)
  }

  @Test func anEmptyStreamEnds() throws {
    for question in Self.questions {
      let none = Sound(.silence, frames: 0, question.format)
      #expect(try question.effect.pass(none, question.effect.work ?? [:]) == none, "\(question)")
    }
  }
}
