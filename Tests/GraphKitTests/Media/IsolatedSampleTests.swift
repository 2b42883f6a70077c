import GraphKit
import GraphKitSystem
import Testing

@testable import GraphKit

/// What a process says that reads a file for this one is taken for what a stranger says.
@Suite(.inTurn) struct IsolatedSampleTests {
  @Test func messagesAreReadAsTheyWereWritten() throws {
    var input = IsolatedInput("a \"file\".mp4")
    (input.from, input.duration, input.loop) = (1.25, 0.1, 3)
    for request in [
      IsolationRequest.open(input, ports: ["video", "audio.2"]), .fill(memory: 7, track: 1),
      .forget(memory: 3),
    ] {
      #expect(IsolationRequest(request.message) == request)
    }
    var stream = DiscoveredStream(
      identifier: "1/2", format: .audio(AudioFormat(.s16, sampleRate: 44_100, channels: 2)),
      duration: MediaTime(nanoseconds: 1_500_000_000))
    (stream.rotation, stream.isAnimation) = (.rotate90, true)
    let sample = IsolationReply.Placed(
      offset: 64, byteCount: 8, time: -21_333_333, duration: nil, isDiscontinuity: true,
      fields: 5)
    for reply in [
      IsolationReply.confined(Confinement(landlock: 4, filtersCalls: true)), .streams([stream]),
      .format(track: 0, caps: "audio/x-raw, rate=(int)8000"),
      .samples(track: 1, memory: 5, [sample]), .needs(track: 0, memory: 2, byteCount: 9),
      .end(track: 1), .warning("late"),
      .failed(NodeError("no", remedy: "yes", key: "path")),
    ] {
      #expect(IsolationReply(reply.message) == reply)
    }
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{ "is": "other" }"#, #"{ "is": "end" }"#,
    #"{ "is": "end", "track": 0.5 }"#,
    #"{ "is": "format", "track": 0, "caps": "audio/x-raw\u001b[2J" }"#,
    #"{ "is": "format", "track": 0, "caps": 1 }"#, #"{ "is": "samples", "track": 0 }"#,
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [] }"#,
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [[0, 1, 0, 0, true, 0], 1] }"#,
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [[0, 1, 0, 0, true]] }"#,
    #"{ "is": "streams", "streams": [{ "id": "1" }] }"#,
    #"{ "is": "needs", "track": 0, "memory": 1e300, "byteCount": 1 }"#,
  ])
  func whatIsNoMessageIsRefused(text: String) {
    #expect(IsolationReply(Array(text.utf8)) == nil)
  }

  @Test func textsMoveNoCursor() {
    let reply = IsolationReply.warning("a\u{1b}[2Jb\nc\u{9b}d")
    #expect(IsolationReply(reply.message) == .warning("a [2Jb c d"))
  }

  /// Where a sample of four frames is said to be in memory of 64 bytes, and whether there is one.
  @Test(arguments: [
    (0, 16, true), (48, 16, true), (49, 16, false), (-4, 16, false), (64, 16, false),
    (.max - 8, 16, false), (0, 15, false), (0, 0, false), (0, -16, false), (0, .max, false),
  ])
  func samplesAreInTheirMemory(offset: Int, byteCount: Int, isThere: Bool) throws {
    let slots = SharedSlots(byteCount: 64, first: 0)
    let slot = try slots.take(step: 1).slot
    let sample = IsolatedSample(
      placed: IsolationReply.Placed(
        offset: offset, byteCount: byteCount, time: 0, duration: nil, isDiscontinuity: false),
      format: try FormatDescription(.audio(AudioFormat(.s16, sampleRate: 8_000, channels: 2))),
      lease: SharedSlots.Lease(slot, of: slots))
    let buffer = sample.makeBuffer()
    let isFound = buffer != nil
    #expect(isFound == isThere)
  }

  @Test func memoryIsFilledAgainAfterItsLastUse() throws {
    let slots = SharedSlots(byteCount: 64, first: 1)
    let (slot, isNew, _) = try slots.take(step: 2)
    #expect(isNew && slot.number == 1)
    var lease: SharedSlots.Lease? = SharedSlots.Lease(slot, of: slots)
    let format = try FormatDescription(
      .audio(AudioFormat(.s16, sampleRate: 8_000, channels: 2)))
    let placed = IsolationReply.Placed(
      offset: 0, byteCount: 16, time: 0, duration: nil, isDiscontinuity: false)
    var sample = IsolatedSample(placed: placed, format: format, lease: try #require(lease))
      .makeBuffer()
    lease = nil
    // The sample uses it.
    let isMade = sample != nil
    #expect(isMade)
    #expect(try slots.take(step: 2).slot.number == 3)
    sample = nil
    #expect(try slots.take(step: 2).slot.number == 1)
    // What has become too small goes.
    _ = SharedSlots.Lease(slot, of: slots)
    slots.grow(to: 128)
    let (large, isLargeNew, gone) = try slots.take(step: 2)
    #expect(isLargeNew && gone == [1] && large.region.byteCount == 128)
  }

  @Test func allPiecesTogetherAreWithinTheLimit() throws {
    let budget = SharedSlots.Budget(150)
    let tracks = (0..<2).map { SharedSlots(byteCount: 64, first: $0, budget: budget) }
    var first: SharedSlot? = try tracks[0].take(step: 2).slot
    let second = try tracks[1].take(step: 2).slot
    #expect(first?.number == 0 && second.number == 1)
    #expect(throws: SharedSlots.Problem.self) { try tracks[1].take(step: 2).slot.number }
    first = nil
    #expect(try tracks[1].take(step: 2).isNew)
  }

  /// What a process says without getting on doesn't keep it from being late.
  @Test func onlyWhatIsBroughtCounts() {
    let sample = IsolationReply.Placed(
      offset: 0, byteCount: 8, time: nil, duration: nil, isDiscontinuity: false)
    let replies: [(IsolationReply, Bool)] = [
      (.streams([]), true), (.samples(track: 0, memory: 0, [sample]), true),
      (.end(track: 0), true), (.end(track: 1), false), (.warning("late"), false),
      (.format(track: 0, caps: "audio/x-raw"), false),
      (.needs(track: 0, memory: 0, byteCount: 9), false),
      (.confined(Confinement(landlock: 4, filtersCalls: true)), false),
    ]
    for (reply, getsOn) in replies {
      #expect(reply.getsOn { $0 == 1 } == getsOn, "\(reply)")
    }
  }

  /// A frame whose rows lie further apart is laid out as its caps say.
  @Test func framesAreCopiedAsTheirCapsSay() throws {
    let format = try FormatDescription(.video(VideoFormat(.i420, width: 6, height: 4)))
    guard case .video(let video) = format.format else { return }
    let bytes = (0..<video.frameSize).map { UInt8($0 % 251) }
    let plain = SampleBuffer(bytes: bytes, format: format)
    let memory = try SharedMemory(byteCount: 4096)
    let padded = try plain.paddingRows(by: 16, filler: 0xEE)
    let counts = [
      plain.copy(to: memory, from: 0), padded.copy(to: memory, from: 1024),
      // There is no room for it.
      padded.copy(to: memory, from: 4096 - 8),
    ]
    #expect(counts == [video.frameSize, video.frameSize, video.frameSize])
    func read(_ offset: Int) throws -> [UInt8] {
      let slots = SharedSlots(byteCount: 64, first: 0)
      let lease = SharedSlots.Lease(SharedSlot(number: 0, region: memory), of: slots)
      let placed = IsolationReply.Placed(
        offset: offset, byteCount: video.frameSize, time: 0, duration: nil, isDiscontinuity: false)
      let made = IsolatedSample(placed: placed, format: format, lease: lease).makeBuffer()
      guard let made else { return [] }
      return made.withBytes { span in span.indices.map { span[$0] } }
    }
    #expect(try read(0) == bytes)
    // Bytes between the rows aren't the sample's.
    let again = SampleBuffer(bytes: try read(1024), format: format)
    for plane in video.planes.indices {
      let size = video.planes[plane]
      let expected = plain.withPlane(plane) { bytes, stride in
        (0..<size.height).flatMap { row in
          (0..<size.width * size.bytesPerPixel).map { bytes[row * stride + $0] }
        }
      }
      let found = again.withPlane(plane) { bytes, stride in
        (0..<size.height).flatMap { row in
          (0..<size.width * size.bytesPerPixel).map { bytes[row * stride + $0] }
        }
      }
      #expect(found == expected)
    }
  }
}
