import GraphKit

/// Has packets of a transport stream come when the sender's clock says, which is in them: how late the
/// network brings each of them would else move the times of the samples, as GStreamer's demuxer goes by it.
///
/// The clock of a sender is never as fast as that of this machine. Where packets come earlier and earlier,
/// or later and later, their times follow by a millisecond in each second.
struct TransportClock: StreamFilter {
  /// A time of the sender's clock, when that is here, and when it was last seen.
  private var reading: (clock: TransportTime, time: Int64, arrival: Int64)?
  /// The packets that the clock is in.
  private var identifier: UInt16?
  private var drift = Drift()
  /// How many bytes have passed, up to ``leastBytes``.
  private var byteCount = 0

  /// GStreamer's demuxer (1.22) looks at no packet before it has so many bytes, four of its longest packets,
  /// and takes all of them to have come with the last.
  private static let leastBytes = 832

  mutating func pass(_ packet: inout SampleBuffer) -> Bool {
    let came = packet.decodeTime.nanoseconds ?? packet.presentationTime.nanoseconds
    let all = packet.withBytes { TransportTime.all(in: $0) }
    byteCount = min(byteCount + packet.byteCount, Self.leastBytes)
    guard byteCount == Self.leastBytes else {
      Self.remove(all, from: &packet)
      return true
    }
    let own = identifier ?? all.first?.identifier
    let clocks = all.filter { $0.identifier == own }
    guard let came, let kept = Self.kept(of: clocks) else {
      // Another sender may have its clock in other packets.
      if let came, let last = reading?.arrival, came - last > Self.longestLead {
        (identifier, reading) = (nil, nil)
      }
      // Those without the clock say nothing of it.
      if reading != nil { (packet.presentationTime, packet.decodeTime) = (.invalid, .invalid) }
      return true
    }
    identifier = own
    // The demuxer would take all of them for the time at which that one came.
    Self.remove(clocks.filter { $0.place != kept.place }, from: &packet)
    let time = MediaTime(nanoseconds: time(of: kept.time, arrivedAt: came))
    (packet.presentationTime, packet.decodeTime) = (time, time)
    return true
  }

  /// Which of several a buffer has: the first, or the first of a clock that is set within it.
  private static func kept(of clocks: [TransportTime.Found]) -> TransportTime.Found? {
    let set = Array(zip(clocks, clocks.dropFirst())).last { earlier, later in
      later.time.nanoseconds(after: earlier.time).map { $0 > longestLead } ?? true
    }
    return set?.1 ?? clocks.first
  }

  private static func remove(
    _ clocks: [TransportTime.Found], from packet: inout SampleBuffer
  ) {
    guard !clocks.isEmpty else { return }
    packet.withMutableBytes { bytes in
      for clock in clocks { TransportTime.remove(at: clock.place, from: &bytes) }
    }
  }

  /// When a time of the sender's clock is here, in nanoseconds, that has come at `arrival`.
  mutating func time(of clock: TransportTime, arrivedAt arrival: Int64) -> Int64 {
    guard let last = reading, let step = clock.nanoseconds(after: last.clock),
      step - (arrival - last.arrival) < Self.longestLead
    else {
      drift = Drift()
      reading = (clock, arrival, arrival)
      return arrival
    }
    var time = last.time + step
    time = max(time + drift.correction(lateness: arrival - time, at: arrival), last.time)
    reading = (clock, time, arrival)
    return time
  }

  /// A clock that is ahead of the packets by so much has been set.
  private static let longestLead: Int64 = 2_000_000_000
}

/// How far a sender's clock has drifted, by the packets that the network has held up least.
private struct Drift {
  private var windowStart: Int64?
  private var least = Int64.max
  /// That of the first window.
  private var usual: Int64?

  private static let (window, most, tolerance): (Int64, Int64, Int64) =
    (5_000_000_000, 5_000_000, 10_000_000)

  /// What is to be added to times from now on.
  mutating func correction(lateness: Int64, at arrival: Int64) -> Int64 {
    least = min(least, lateness)
    let start = windowStart ?? arrival
    windowStart = start
    guard arrival - start >= Self.window else { return 0 }
    defer { (windowStart, least) = (arrival, .max) }
    guard let usual else {
      usual = least
      return 0
    }
    let drift = least - usual
    return abs(drift) > Self.tolerance ? min(max(drift, -Self.most), Self.most) : 0
  }
}

/// A time of the clock in a transport stream: its program clock reference, in ticks of 27 MHz
/// (ISO/IEC 13818-1, 2.4.3.5).
struct TransportTime: Equatable {
  let ticks: Int64

  private static let wrap: Int64 = (1 << 33) * 300
  private static let packetSize = 188

  /// How long after another it is; `nil` where it is before it. The clock wraps after 26.5 hours.
  func nanoseconds(after other: TransportTime) -> Int64? {
    let step = (ticks - other.ticks + Self.wrap) % Self.wrap
    return step < Self.wrap / 2 ? step * 1000 / 27 : nil
  }

  /// Where one is: the offset of its packet, and which packets it is in.
  struct Found {
    let time: TransportTime
    let identifier: UInt16
    let place: Int
  }

  /// Those in some whole packets.
  static func all(in bytes: Span<UInt8>) -> [Found] {
    var found: [Found] = []
    for start in stride(from: 0, through: bytes.count - packetSize, by: packetSize) {
      guard bytes[start] == 0x47 else { break }
      let identifier = UInt16(bytes[start + 1] & 0x1f) << 8 | UInt16(bytes[start + 2])
      let hasClock =
        bytes[start + 3] & 0x20 != 0 && bytes[start + 4] >= 7 && bytes[start + 5] & 0x10 != 0
      guard hasClock else { continue }
      var field: Int64 = 0
      for place in 6...11 { field = field << 8 | Int64(bytes[start + place]) }
      let time = TransportTime(ticks: (field >> 15) * 300 + (field & 0x1ff))
      found.append(Found(time: time, identifier: identifier, place: start))
    }
    return found
  }

  /// Has the packet at an offset say that no clock, nor what comes after one, is in its adaptation field:
  /// the bytes of these are stuffing then.
  static func remove(at place: Int, from bytes: inout MutableSpan<UInt8>) {
    guard place + 5 < bytes.count else { return }
    bytes[place + 5] &= 0xe0
  }
}
