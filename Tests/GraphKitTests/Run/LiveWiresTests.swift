import GStreamer
import TestTools
import Testing

@testable import GraphKit

@Suite("By what it is seen whether a live graph keeps up", .inTurn) struct LiveWiresTests {
  /// A recording of a camera and a microphone whose encoder of video looks two seconds ahead, with
  /// samples put on its wires by hand.
  private struct Recording {
    let groups: [WireGroup]
    var wires: LiveWires

    init() throws {
      let picture = FormatConstraint.video([.i420], width: 64, height: 48, frameRate: Rational(30))
      let sound = FormatConstraint.audio([.s16], sampleRates: [48_000], channels: [2])
      var sketch = Sketch()
      sketch.add("camera", FakeElement<SourceTag>.self, [output(picture)], isLive: true)
      sketch.add("microphone", FakeElement<SourceTag>.self, [output(sound)], isLive: true)
      sketch.add("titles", FakeElement<SourceTag>.self, [output(picture)])
      sketch.add(
        "mix", FakeElement<EffectTag>.self,
        [input(.video(), "a"), input(.video(), "b"), output(.video(), follows: "a")])
      sketch.add(
        "video", FakeElement<EncoderTag>.self,
        [input(.video()), output(.encoded(.h264), follows: "in")], latency: 2)
      sketch.add(
        "audio", FakeElement<EncoderTag>.self,
        [input(.audio()), output(.encoded(.aac), follows: "in")])
      sketch.add(
        "movie", FakeElement<SinkTag>.self,
        [input(.encoded(.h264), "video"), input(.encoded(.aac), "audio")])
      sketch.wire(
        "camera -> mix.a", "titles -> mix.b", "mix -> video -> movie.video",
        "microphone -> audio -> movie.audio")
      let plan = try Plan(sketch.graph)
      groups = plan.queuesByTarget.map { queues in
        WireGroup(
          queues.map { WireGroup.Wire(from: $0.wire.from, to: $0.wire.to, policy: $0.policy) },
          log: RunLog(traces: false))
      }
      wires = LiveWires(plan, groups)
    }

    /// What is seen.
    mutating func look() throws -> WireObservation {
      let seen = wires.observe()
      return try #require(seen)
    }

    /// Puts so many tenths of a second on a wire.
    func fill(_ name: String, tenths: Int) {
      for group in groups {
        for index in group.wires.indices where group.wires[index].name.hasPrefix(name) {
          for number in 0..<tenths {
            var buffer = Buffer(size: 4)
            buffer.presentationTime = UInt64(number) * 100_000_000
            buffer.duration = 100_000_000
            _ = group.offerIfReady(buffer, on: index)
          }
        }
      }
    }
  }

  @Test func thereIsNothingToSeeBeforeTheFirstSample() throws {
    var recording = try Recording()
    let seen = recording.wires.observe()
    #expect(seen == nil)
  }

  @Test func aWireAfterALiveSourceThatFillsUp() throws {
    var recording = try Recording()
    recording.fill("camera", tenths: 6)
    recording.fill("titles", tenths: 20)
    let seen = try recording.look()
    #expect(abs(seen.level - 0.55) < 0.06 && seen.wire == "camera.out -> mix.a", "\(seen)")
    #expect(abs(seen.time - 0.6) < 1e-6 && seen.dropped == 0)
  }

  /// Audio waits for the encoder of video, however slow that is; what fills up is the wire before it.
  @Test func notTheOnesThatWaitForIt() throws {
    var recording = try Recording()
    recording.fill("camera", tenths: 7)
    recording.fill("audio", tenths: 40)
    recording.fill("microphone", tenths: 20)
    let seen = try recording.look()
    #expect(seen.wire == "camera.out -> mix.a" && seen.level < 0.8, "\(seen)")
  }

  /// A file that is read as fast as it is taken always fills its wire.
  @Test func notWhatIsReadFromFiles() throws {
    var recording = try Recording()
    recording.fill("titles", tenths: 20)
    recording.fill("camera", tenths: 1)
    let seen = try recording.look()
    #expect(seen.level < 0.2, "\(seen)")
  }

  /// Nothing comes from the microphone, so the movie takes no video: no step would help.
  @Test func notWhatWaitsForAMutedMicrophone() throws {
    var recording = try Recording()
    recording.fill("camera", tenths: 20)
    recording.fill("video", tenths: 40)
    let seen = try recording.look()
    #expect(seen.level == 0 && seen.dropped == 0, "\(seen)")
    // Once it comes, what fills up counts.
    recording.fill("audio", tenths: 1)
    recording.fill("microphone", tenths: 1)
    let later = try recording.look()
    #expect(later.level == 1, "\(later)")
  }

  @Test func notWhatIsHeldForADelay() throws {
    var recording = try Recording()
    recording.fill("audio", tenths: 20)
    recording.fill("video", tenths: 1)
    recording.fill("camera", tenths: 1)
    recording.fill("microphone", tenths: 1)
    let seen = try recording.look()
    #expect(seen.level < 0.2, "\(seen)")
    recording.fill("audio", tenths: 80)
    let later = try recording.look()
    #expect(later.level == 1, "\(later)")
  }
}
