import JSON

extension IsolationReply {
  /// Where a sample is, and its times in nanoseconds.
  package struct Placed: Hashable, Sendable {
    package var offset: Int
    package var byteCount: Int
    package var time: Int?
    package var duration: Int?
    package var isDiscontinuity: Bool
    /// How the fields of an interlaced frame lie in it: see ``SampleBuffer/fields``.
    package var fields: Int
    /// What else is known of one that is a packet; `nil` of raw media.
    package var packet: Packet?

    package init(
      offset: Int, byteCount: Int, time: Int?, duration: Int?, isDiscontinuity: Bool,
      fields: Int = 0, packet: Packet? = nil
    ) {
      (self.offset, self.byteCount, self.time) = (offset, byteCount, time)
      (self.duration, self.isDiscontinuity, self.fields) = (duration, isDiscontinuity, fields)
      self.packet = packet
    }
  }

  /// What is known of a packet.
  package struct Packet: Hashable, Sendable {
    /// When it is decoded, in nanoseconds.
    package var decode: Int?
    /// What it is: see ``SampleBuffer/packetFlags``.
    package var flags: Int
    /// Samples that its decoder leaves out, at its beginning and its end.
    package var clipStart: Int
    package var clipEnd: Int

    package init(decode: Int?, flags: Int, clipStart: Int = 0, clipEnd: Int = 0) {
      (self.decode, self.flags) = (decode, flags)
      (self.clipStart, self.clipEnd) = (clipStart, clipEnd)
    }
  }
}

extension IsolationReply.Placed {
  /// As a message has it: six values, and four more of a packet.
  var json: JSONValue {
    var values: [JSONValue] = [
      jsonNumber(offset), jsonNumber(byteCount), time.map(jsonNumber) ?? .null,
      duration.map(jsonNumber) ?? .null, .bool(isDiscontinuity), jsonNumber(fields),
    ]
    if let packet {
      values += [
        packet.decode.map(jsonNumber) ?? .null, jsonNumber(packet.flags),
        jsonNumber(packet.clipStart), jsonNumber(packet.clipEnd),
      ]
    }
    return .array(values)
  }

  init?(_ json: JSONValue) {
    guard case .array(let values) = json, values.count == 6 || values.count == 10,
      let offset = values[0].wholeNumber, let byteCount = values[1].wholeNumber,
      let fields = values[5].wholeNumber
    else { return nil }
    self.init(
      offset: offset, byteCount: byteCount, time: values[2].wholeNumber,
      duration: values[3].wholeNumber, isDiscontinuity: values[4] == .bool(true),
      fields: fields)
    guard values.count == 10 else { return }
    guard let packet = IsolationReply.Packet(values[6...]), hasTimesOfAFile else { return nil }
    self.packet = packet
  }

  /// Whether the times are those that packets of a file can have.
  private var hasTimesOfAFile: Bool {
    (time?.isTimeOfAFile ?? true) && (duration.map { $0 >= 0 && $0.isTimeOfAFile } ?? true)
  }
}

extension IsolationReply.Packet {
  /// Reads the values of a packet; `nil` where they can't be.
  fileprivate init?(_ values: ArraySlice<JSONValue>) {
    let numbers = values.map(\.wholeNumber)
    guard let flags = numbers[1], let clipStart = numbers[2], let clipEnd = numbers[3],
      flags >= 0, [clipStart, clipEnd].allSatisfy({ (0...(1 << 32)).contains($0) }),
      numbers[0]?.isTimeOfAFile ?? true
    else { return nil }
    self.init(decode: numbers[0], flags: flags, clipStart: clipStart, clipEnd: clipEnd)
  }
}

extension Int {
  /// Whether so many nanoseconds are no more than a number in JSON holds exactly: 104 days. Parts of
  /// files that are copied begin 1000 hours after zero.
  fileprivate var isTimeOfAFile: Bool { magnitude <= 1 << 53 }
}
