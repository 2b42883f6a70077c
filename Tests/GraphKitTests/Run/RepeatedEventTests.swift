import GStreamer
import GraphKitSystem
import TestTools
import Testing

@testable import GraphKit

/// What starts a stream reaches a decoder once, though two threads may send it.
@Suite(.inTurn) struct RepeatedEventTests {
  /// Writes down which events come, in order.
  private final class Recorder: ElementBody {
    let names: Monitor<[String]>
    init(_ names: Monitor<[String]>) { self.names = names }

    func handle(_ event: consuming Event, on input: Int) -> Bool {
      let name =
        switch event.kind {
        case .streamStart: "start"
        case .caps: "caps"
        case .segment: "segment"
        case .endOfStream: "end"
        default: "other"
        }
      names.withLock { $0.append(name) }
      return true
    }
  }

  /// What comes of events through an input that drops repeated ones.
  private func received(_ send: (Pad) -> Void) throws -> [String] {
    Library.startCore()
    let names = Monitor<[String]>([])
    let element = SwiftElement(name: "recorder", inputs: 1, outputs: 0) { _ in Recorder(names) }
    let input = try #require(element.inputs.first)
    input.dropRepeatedEvents()
    element.element.setState(.paused)
    send(input)
    element.element.setState(.null)
    return names.withLock { $0 }
  }

  @Test func theSameOnesComeOnce() throws {
    let format = try #require(Caps("audio/mpeg"))
    let names = try received { input in
      let start = Event.streamStart("a")
      let caps = Event.caps(format)
      let segment = Event.timeSegment()
      for _ in 1...2 {
        _ = input.send(start.share())
        _ = input.send(caps.share())
        _ = input.send(segment.share())
      }
      _ = input.send(start.share())
      _ = input.send(.endOfStream())
    }
    #expect(names == ["start", "caps", "segment", "end"])
  }

  /// A probe may have put an equal segment in a segment's place.
  @Test func equalSegmentsOfOneNumberComeOnce() throws {
    let names = try received { input in
      let segment = Event.timeSegment()
      _ = input.send(.streamStart("a"))
      _ = input.send(segment.share())
      for offset in [0, 0, 5] as [UInt64] {
        if let copy = segment.segment(movedBy: offset) { _ = input.send(copy) }
      }
    }
    #expect(names == ["start", "segment", "segment"])
  }

  @Test func newOnesComeThoughTheySayTheSame() throws {
    let format = try #require(Caps("audio/mpeg"))
    let names = try received { input in
      for _ in 1...2 {
        _ = input.send(.streamStart("a"))
        _ = input.send(.caps(format))
        _ = input.send(.timeSegment())
      }
    }
    #expect(names == ["start", "caps", "segment", "start", "caps", "segment"])
  }
}
