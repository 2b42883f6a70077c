import GraphKitSystem

/// Reads the packets of one track of parts, one part after the other, as one stream.
///
/// A packet that comes before its piece's first frame in the order of decoding has the time at which an
/// encoder of the whole would have it decoded: that of the frame so many before. So times rise from piece
/// to piece.
struct EncodedPartReader: Sendable {
  /// A packet of the stream, or what the packets are that follow.
  enum Item {
    case format(String)
    case packet(EncodedPart.Head, [UInt8])
  }

  private let paths: [String]
  private let track: Int
  private var number = 0
  private var file: File?
  private var offset = 0
  /// The end of the part before, and of its frames.
  private var end = Int64.min
  private var packetCount: Int64 = 0
  /// What the stream's packets are.
  private var format: String?
  /// When the part's first frame is presented, and how many packets were decoded before that.
  private var first: Int64?
  private var early = 0
  /// Times of frames of the part before, and of this one, in order.
  private var former: [Int64] = []
  private var times: [Int64] = []
  private var lastDecode = Int64.min

  /// How many frames an encoder puts in another order at most.
  private static let mostReordered = 32

  init(_ paths: [String], track: Int) { (self.paths, self.track) = (paths, track) }

  /// The next packet or format; `nil` at the end.
  mutating func next() throws(NodeError) -> Item? {
    while true {
      if file == nil {
        guard number < paths.count else { return nil }
        try open()
      }
      let head = try readHead()
      switch head.kind {
      case .piece: try begin(head)
      case .end: try finish(head)
      case .format where head.track == track:
        if let item = try change(to: String(decoding: body(head), as: UTF8.self)) { return item }
      case .packet where head.track == track, .keyPacket where head.track == track:
        return .packet(try placed(head), try body(head))
      case .format, .packet, .keyPacket: skip(head)
      }
    }
  }

  // MARK: Records

  private var path: String { paths[number] }

  private mutating func open() throws(NodeError) {
    let opened = try read { () throws(File.Failure) in try File(path) }
    let start = try read { () throws(File.Failure) in
      try opened.read(at: 0, count: EncodedPart.beginning.count)
    }
    guard start == EncodedPart.beginning else {
      throw PartFile.unreadable(path, "it isn't as graphctl writes it")
    }
    (file, offset, packetCount) = (opened, start.count, 0)
    // Few of the last part are ever asked for.
    former = Array((former + times.sorted()).suffix(Self.mostReordered))
    (times, first, early) = ([], nil, 0)
  }

  private mutating func readHead() throws(NodeError) -> EncodedPart.Head {
    let bytes = try bytes(EncodedPart.headSize)
    guard let head = EncodedPart.Head(bytes) else {
      throw PartFile.unreadable(path, "it isn't as graphctl writes it")
    }
    guard let file, head.byteCount <= file.size - offset else { throw cutOff }
    return head
  }

  private mutating func body(_ head: EncodedPart.Head) throws(NodeError) -> [UInt8] {
    try bytes(head.byteCount)
  }

  private mutating func skip(_ head: EncodedPart.Head) {
    offset += head.byteCount
    if head.kind != .format { packetCount += 1 }
  }

  private mutating func bytes(_ count: Int) throws(NodeError) -> [UInt8] {
    let (file, start) = (file, offset)
    let bytes = try read { () throws(File.Failure) in try file?.read(at: start, count: count) }
    guard let bytes, bytes.count == count else { throw cutOff }
    offset += count
    return bytes
  }

  private var cutOff: NodeError { PartFile.unreadable(path, "it ends before its time") }

  private func read<Result>(
    _ body: () throws(File.Failure) -> Result
  ) throws(NodeError) -> Result {
    do throws(File.Failure) { return try body() } catch {
      throw PartFile.unreadable(path, error.text)
    }
  }

  // MARK: The stream

  private mutating func begin(_ head: EncodedPart.Head) throws(NodeError) {
    guard head.times[0] == end else {
      throw PartFile.unreadable(path, "it doesn't follow the part before it")
    }
    end = head.times[1]
  }

  private mutating func finish(_ head: EncodedPart.Head) throws(NodeError) {
    guard head.times[0] == packetCount else {
      throw PartFile.unreadable(path, "it has \(packetCount) packets, and not \(head.times[0])")
    }
    file = nil
    number += 1
  }

  private mutating func change(to caps: String) throws(NodeError) -> Item? {
    guard caps != format else { return nil }
    guard format == nil else {
      throw NodeError(
        "what was encoded of piece \(number + 1) of \(paths.count) has another configuration "
          + "than what comes before it, and one movie can't have both",
        remedy: "leave out --pieces, or look whether the file's frames change there")
    }
    format = caps
    return .format(caps)
  }

  /// A packet as it is in the whole.
  private mutating func placed(_ head: EncodedPart.Head) throws(NodeError) -> EncodedPart.Head {
    packetCount += 1
    let (time, decode) = (head.times[0], head.times[1])
    guard first != nil || head.kind == .keyPacket, time != .min else {
      throw PartFile.unreadable(path, "it doesn't begin with a key frame")
    }
    guard former.last.map({ $0 < time }) ?? true else {
      throw PartFile.unreadable(path, "its frames are presented before those of the part before it")
    }
    if first == nil {
      first = time
      early = head.times[1] == .min ? 0 : try countEarly(before: time, after: head)
    }
    var head = head
    head.times[1] = decodeTime(decode == .min ? time : decode, of: times.count)
    times.append(time)
    guard head.times[1] <= time else {
      throw PartFile.unreadable(path, "its frames can't be decoded in time after those before it")
    }
    lastDecode = head.times[1]
    return head
  }

  /// When a packet of a part is decoded, which is the so manieth of it.
  private func decodeTime(_ own: Int64, of index: Int) -> Int64 {
    guard !former.isEmpty else { return own }
    let place = former.count - early + index
    let wanted = index < early && former.indices.contains(place) ? former[place] : own
    return max(wanted, lastDecode.addingClamped(1))
  }

  /// How many packets from a part's first on are decoded before its first frame is presented.
  private mutating func countEarly(
    before start: Int64, after head: EncodedPart.Head
  ) throws(NodeError) -> Int {
    let place = offset
    defer { offset = place }
    var (count, head) = (0, head)
    while head.kind != .end, count < Self.mostReordered {
      if head.track == track, head.kind != .format {
        guard head.times[1] < start else { break }
        count += 1
      }
      offset += head.byteCount
      head = try readHead()
    }
    return count
  }
}
