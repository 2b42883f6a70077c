@testable import GraphKitSystem
@testable import Batch
@testable import GraphKit
@testable import Nodes

// What other processes send or have written: parts of a batch, replies, requests; and lists of people.
extension Targets {
  /// A part's summaries, and its bytes as those of two summaries of each kind, which are merged.
  @Sendable static func parts(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      if let part = try? PartFile(path) { precondition(part.entries.count <= bytes.count) }
    }
    let first = Array(bytes.prefix(Int(bytes.first ?? 0) << 2))
    let second = Array(bytes.dropFirst(first.count))
    merge(WaveformSummary.self, first, second)
    merge(LoudnessSummary.self, first, second)
    merge(SilenceSummary.self, first, second)
  }

  private static func merge<Summary: AssociativeReducer>(
    _ type: Summary.Type, _ first: [UInt8], _ second: [UInt8]
  ) {
    attempt {
      var whole = try SummaryDecoder.value(type, of: first)
      let next = try SummaryDecoder.value(type, of: second)
      if next.continues(whole) { whole.merge(next) }
      _ = try PartFile.bytes(of: whole)
    }
  }

  /// Packets of two tracks in one part, and in two after each other.
  @Sendable static func encodedParts(_ bytes: [UInt8]) {
    for count in 1...2 {
      for track in 0...1 {
        withFile(bytes) { path in
          var reader = EncodedPartReader(Array(repeating: path, count: count), track: track)
          var last = Int64.min
          while let item = try reader.next() {
            guard case .packet(let head, _) = item else { continue }
            precondition(head.times[1] >= last, "times of decoding go back")
            last = head.times[1]
          }
        }
      }
    }
  }

  /// What a process says that reads a file, and what it is asked for.
  @Sendable static func isolation(_ bytes: [UInt8]) {
    if let reply = IsolationReply(bytes) {
      precondition(IsolationReply(reply.message) == reply, "a reply is read as it was written")
      take(reply)
    }
    if let request = IsolationRequest(bytes) {
      precondition(IsolationRequest(request.message) == request)
    }
  }

  /// Has tracks of packets and of decoded media take a reply, and makes what it brings.
  private static func take(_ reply: IsolationReply) {
    let formats: [IsolationReply] = [
      .format(track: 0, caps: "video/x-h264, width=(int)16"),
      .format(track: 0, caps: "video/x-raw, format=(string)GRAY8, width=(int)4, height=(int)4"),
    ]
    let demands: [PacketDemand?] = [PacketDemand(), nil]
    for (format, demand) in zip(formats, demands) {
      let slots = SharedSlots(byteCount: 64, first: 0, budget: SharedSlots.Budget(1 << 20))
      var track = IsolatedTrackState(IsolatedStream("video", packets: demand), slots: slots)
      _ = track.take(format) { _ in true }
      for number in 0..<2 {
        if let slot = try? slots.take(step: 1).slot { track.lent[number] = slot }
      }
      _ = track.take(reply) { _ in true }
      while case .sample(let sample)? = track.next() {
        _ = sample.time
        guard let buffer = sample.makeBuffer() else { continue }
        precondition(buffer.byteCount <= 64, "a sample is within its memory")
      }
    }
  }

  /// What a browser asks, and what a server answers.
  @Sendable static func web(_ bytes: [UInt8]) {
    for isLocal in [false, true] { _ = ImageRequest(bytes, isLocal: isLocal) }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let response = WebResponse(text) else { return }
    _ = "\(response.isAboutFile) \(response.start) \(String(describing: response.size))"
    _ = response.isOfAnotherVersion(than: response) || response.takesRanges
  }

  /// Lists of a batch's items: the first byte says how they are written.
  @Sendable static func items(_ bytes: [UInt8]) {
    let formats: [ItemLines.Format] = [.paths, .nullSeparated, .jsonLines, .csv]
    guard let first = bytes.first else { return }
    attempt {
      let items = try ItemLines.read(
        Array(bytes.dropFirst()), formats[Int(first) % formats.count], name: "list",
        inputParameter: "input")
      precondition(items.count <= bytes.count)
    }
  }

  /// Files of subtitles.
  @Sendable static func subtitles(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      let file = try SubtitleFile(path)
      for (subtitle, next) in zip(file.subtitles, file.subtitles.dropFirst()) {
        precondition(subtitle.end <= next.start, "two are shown at once")
      }
    }
  }
}
