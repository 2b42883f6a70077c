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
    }
    if let request = IsolationRequest(bytes) {
      precondition(IsolationRequest(request.message) == request)
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
