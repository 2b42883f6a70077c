import Containers
import GraphKit
import GraphKitSystem
import Testing

@testable import GraphKit

/// What a process says that reads a file for this one is taken for what a stranger says.
@Suite(.inTurn) struct IsolatedSampleTests {
  @Test func messagesAreReadAsTheyWereWritten() throws {
    var input = IsolatedInput("a \"file\".mp4")
    (input.from, input.duration) = (1.25, 0.1)
    var demand = PacketDemand()
    var parser = ElementSpec("h264parse", plugin: "videoparsersbad", ["config-interval": "-1"])
    parser.isParser = true
    (demand.parsers, demand.caps) = ([parser], "video/x-h264, stream-format=(string)avc")
    (demand.skipsLeads, demand.copiesRanges, demand.areAsInFile) = (true, true, true)
    let packets = IsolatedStream("video", packets: demand)
    for request in [
      IsolationRequest.open(input, [IsolatedStream("audio.2"), packets]),
      .fill(memory: 7, track: 1), .forget(memory: 3),
    ] {
      #expect(IsolationRequest(request.message) == request)
    }
    var stream = DiscoveredStream(
      identifier: "1/2", format: .audio(AudioFormat(.s16, sampleRate: 44_100, channels: 2)),
      duration: MediaTime(nanoseconds: 1_500_000_000))
    (stream.rotation, stream.isAnimation, stream.location) = (.rotate90, true, "+51-000/")
    var edit = StreamEdit()
    edit.start = MediaTime(value: 1024, timescale: 44_100)
    edit.end = MediaTime(value: 90_000, timescale: 44_100)
    (edit.delay, edit.keyFrame, edit.cutsLastPacket) = (.seconds(0.01), .zero, true)
    stream.edit = edit
    let sample = IsolationReply.Placed(
      offset: 64, byteCount: 8, time: -21_333_333, duration: nil, isDiscontinuity: true,
      fields: 5)
    var packet = sample
    packet.packet = IsolationReply.Packet(decode: -40_000_000, flags: 9, clipStart: 312)
    for reply in [
      IsolationReply.confined(Confinement(landlock: 4, filtersCalls: true)), .streams([stream]),
      .format(track: 0, caps: "audio/x-raw, rate=(int)8000"),
      .format(track: 1, caps: "video/x-h264, codec_data=(buffer)01", isWhole: false),
      .samples(track: 1, memory: 5, [sample]), .samples(track: 1, memory: 5, [packet, packet]),
      .tag(track: 0, ofFile: true, name: "title", text: "Ein \"Titel\"\n"),
      .picture(track: 0, ofFile: false, kind: 4, memory: 4, byteCount: 77),
      .chapters([MovieChapter(start: 1_500, title: "zwei")]),
      .needs(track: 0, memory: 2, byteCount: 9),
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
    // Packets whose times no file has, whose flags or clips can't be.
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [[0,1,1e17,0,true,0,0,0,0,0]] }"#,
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [[0, 1, 0, -1, true, 0, 0, 0, 0, 0]] }"#,
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [[0,1,0,0,true,0,1e17,0,0,0]] }"#,
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [[0, 1, 0, 0, true, 0, 0, -1, 0, 0]] }"#,
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [[0, 1, 0, 0, true, 0, 0, 0, -1, 0]] }"#,
    #"{ "is": "samples", "track": 0, "memory": 1, "samples": [[0, 1, 0, 0, true, 0, 0, 0, 0]] }"#,
    #"{ "is": "tag", "track": 0, "name": "Title", "text": "a" }"#,
    #"{ "is": "tag", "track": 0, "name": "title" }"#,
    #"{ "is": "picture", "track": 0, "memory": 1 }"#,
    #"{ "is": "chapters", "chapters": [[-1, "a"]] }"#,
    #"{ "is": "chapters", "chapters": [[1e300, "a"]] }"#,
    #"{ "is": "streams", "streams": [{ "id": "1", "caps": "audio/mpeg", "edit": {} }] }"#,
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

  /// A packet is a copy, wherever it is said to be; an empty one is one, too.
  @Test(arguments: [
    (0, 16, true), (48, 16, true), (49, 16, false), (-4, 16, false), (64, 0, true), (65, 0, false),
    (0, -16, false), (.max, 16, false), (0, .max, false),
  ])
  func packetsAreInTheirMemory(offset: Int, byteCount: Int, isThere: Bool) throws {
    let slots = SharedSlots(byteCount: 64, first: 0)
    let slot = try slots.take(step: 1).slot
    #expect(slot.region.write(Array(0..<64), at: 0) && !slot.region.write([1], at: 64))
    var placed = IsolationReply.Placed(
      offset: offset, byteCount: byteCount, time: 5, duration: nil, isDiscontinuity: false)
    placed.packet = IsolationReply.Packet(decode: -7, flags: .max, clipStart: 3)
    let sample = IsolatedSample(
      placed: placed, format: try FormatDescription(capsText: "audio/x-opus"),
      lease: SharedSlots.Lease(slot, of: slots))
    guard let buffer = sample.makeBuffer() else { return #expect(!isThere) }
    #expect(isThere)
    _ = slot.region.write(Array(repeating: 0xFF, count: 64), at: 0)
    let bytes = buffer.withBytes { span in span.indices.map { span[$0] } }
    #expect(bytes == (0..<byteCount).map { UInt8(offset + $0) })
    #expect(buffer.decodeTime.nanoseconds == -7 && buffer.presentationTime.nanoseconds == 5)
  }

  /// What is said of a track is what its stream was asked for, and no more than a file has.
  @Test func aTrackTakesWhatItWasAskedFor() throws {
    func take(_ replies: [IsolationReply], _ stream: IsolatedStream) throws -> Bool {
      var track = IsolatedTrackState(stream, slots: SharedSlots(byteCount: 64, first: 0))
      track.lent[0] = try track.slots.take(step: 1).slot
      return replies.allSatisfy { track.take($0) { _ in true } }
    }
    let raw = IsolationReply.Placed(
      offset: 0, byteCount: 4, time: 0, duration: nil, isDiscontinuity: false)
    var packet = raw
    packet.packet = IsolationReply.Packet(decode: nil, flags: 0)
    let audio = MediaFormat.audio(AudioFormat(.s16, sampleRate: 8_000, channels: 2)).capsText
    let video = IsolatedStream("video", packets: PacketDemand())
    let decoded = IsolatedStream("audio")
    let avc = IsolationReply.format(track: 0, caps: "video/x-h264, width=(int)8")
    let many = (0...200).map { number in
      IsolationReply.tag(track: 0, ofFile: true, name: "tag-\(number)", text: "a")
    }
    let part = IsolationReply.format(
      track: 0, caps: String(repeating: "a", count: 16_384), isWhole: false)
    let rest = IsolationReply.format(track: 0, caps: "264")
    let rows: [([IsolationReply], IsolatedStream, Bool)] = [
      ([avc, .samples(track: 0, memory: 0, [packet])], video, true),
      ([avc, .samples(track: 0, memory: 0, [raw])], video, false),
      ([.samples(track: 0, memory: 0, [packet])], video, false),
      ([.format(track: 0, caps: audio), .samples(track: 0, memory: 0, [raw])], decoded, true),
      ([.format(track: 0, caps: audio), .samples(track: 0, memory: 0, [packet])], decoded, false),
      ([.format(track: 0, caps: audio)], video, false),
      ([avc], decoded, false),
      ([.format(track: 0, caps: "audio/mpeg")], video, false),
      ([.format(track: 0, caps: "video/x-h264(memory:DMABuf)")], video, false),
      ([.format(track: 0, caps: "video/x-h264; video/x-h265")], video, false),
      ([.format(track: 0, caps: "video/x-h264, width=(int)[ 1, 2 ]")], video, false),
      ([.format(track: 0, caps: "EMPTY")], video, false),
      ([.format(track: 0, caps: "ANY")], decoded, false),
      ([.format(track: 0, caps: "video/x-h", isWhole: false), rest], video, true),
      (Array(repeating: part, count: 1_025), video, false),
      (Array(many.dropLast()), video, true), (many, video, false), ([many[0]], decoded, false),
      ([.picture(track: 0, ofFile: true, kind: 3, memory: 0, byteCount: 64)], video, true),
      ([.picture(track: 0, ofFile: true, kind: 3, memory: 0, byteCount: 65)], video, false),
      ([.picture(track: 0, ofFile: true, kind: 3, memory: 1, byteCount: 1)], video, false),
    ]
    for (number, row) in rows.enumerated() {
      #expect(try take(row.0, row.1) == row.2, "row \(number)")
    }
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
