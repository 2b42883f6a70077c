import GraphKit

/// The first packet of a movie's track as its bytes lie in the file: a parser puts parameter sets into it,
/// which a copy of the file's samples doesn't have.
struct FirstPacket: Sendable {
  private let bytes: [UInt8]

  /// Those of streams that are wanted as they are in the file, by their numbers; none where the index of
  /// the file doesn't list them.
  static func all(of streams: [IsolatedStream], in plan: Plan, _ path: String) -> [Int: Self] {
    let wanted = streams.indices.filter { streams[$0].packets?.areAsInFile == true }
    let node = plan.nodes.lazy.compactMap(\.node.work.elementNode).first { $0 is FileSource }
    guard !wanted.isEmpty, let reader = node?.pieces(of: wanted.map { streams[$0].port }),
      let file = try? InputFile(path)
    else { return [:] }
    var packets: [Int: Self] = [:]
    for (number, index) in wanted.enumerated() {
      guard let sample = reader.first(of: number), sample.byteCount <= 1 << 26,
        let bytes = try? file.bytes(at: sample.offset, count: sample.byteCount)
      else { continue }
      packets[index] = Self(bytes: bytes)
    }
    return packets
  }

  /// A packet without what was put into it; the same where it isn't this one with something put into it.
  func restored(_ packet: consuming SampleBuffer) -> SampleBuffer {
    guard packet.byteCount > bytes.count, packet.withBytes(isWithin) else { return packet }
    return packet.replacing(bytes: bytes)
  }

  /// Whether other bytes are these with some put in at one place.
  private func isWithin(_ other: Span<UInt8>) -> Bool {
    let added = other.count - bytes.count
    let head = bytes.indices.first { bytes[$0] != other[$0] } ?? bytes.count
    return bytes.indices.dropFirst(head).allSatisfy { bytes[$0] == other[$0 + added] }
  }
}
