import GStreamer
import System

/// Puts the samples of a fragment before the box that describes them, and hands both on as one.
///
/// `mp4mux` writes the description first, in a piece of its own. A recording that is cut off there
/// ends in a fragment whose samples aren't in the file, which players complain about; samples that
/// nothing describes are just skipped. Each fragment is held until it is whole, as the muxer sends
/// it in one go.
final class FragmentOrder: Sendable {
  private final class Store { var items = ItemQueue() }

  private struct State {
    /// The `moof` box, and then what has come of its `mdat` box.
    let held = Store()
    /// Bytes that are still to come; `nil` where the header that says so is.
    var missing: Int? = 0
    var size = 0
  }

  private let state = Monitor(State())

  /// Returns the buffer itself, nothing where it is held, or the whole fragment that it ends.
  func arrange(_ buffer: consuming Buffer) -> Buffer? {
    let length = buffer.size
    let box = Self.box(at: buffer)
    // A closure may give away what it captures only out of an optional.
    var arrived: Buffer? = buffer
    return state.withLock { state -> Buffer? in
      guard let buffer = arrived.take() else { return nil }
      if state.held.items.isEmpty {
        guard box?.type == "moof", box?.size == length else { return buffer }
        state.missing = nil
      } else if let missing = state.missing {
        state.missing = missing - length
      } else {
        // Without such a header there is nothing to wait for, and nothing to turn round.
        state.size = box?.type == "mdat" ? box?.size ?? 0 : 0
        state.missing = max(state.size - length, 0)
      }
      state.held.items.append(buffer)
      return state.missing.map { $0 <= 0 } == true ? Self.fragment(&state) : nil
    }
  }

  private static func fragment(_ state: inout State) -> Buffer? {
    guard case .buffer(var description) = state.held.items.popFirst(),
      case .buffer(var samples) = state.held.items.popFirst()
    else { return nil }
    while case .buffer(let more) = state.held.items.popFirst() { samples.append(more) }
    guard state.size == samples.size else {
      description.append(samples)
      return description
    }
    movePlaces(in: &description, by: -description.size - samples.size)
    samples.append(description)
    return samples
  }

  private static func box(at buffer: borrowing Buffer) -> (type: String, size: Int)? {
    guard let map = BufferMap(buffer), map.size >= 8 else { return nil }
    let head = map.span(of: UInt8.self, from: 0, count: 8)
    // One byte distinguishes most samples from a header.
    guard head[4] == UInt8(ascii: "m") else { return nil }
    for type in ["moof", "mdat"] {
      var isSame = true
      for (index, byte) in type.utf8.enumerated() where head[4 + index] != byte { isSame = false }
      if isSame { return (type, (0..<4).reduce(0) { $0 << 8 | Int(head[$1]) }) }
    }
    return nil
  }

  /// Changes where the runs of a fragment begin, which they count from its start (ISO/IEC 14496-12,
  /// 8.8.8).
  private static func movePlaces(in fragment: inout Buffer, by distance: Int) {
    guard var map = MutableBufferMap(&fragment) else { return }
    let count = map.size
    var bytes = map.mutableSpan(of: UInt8.self, from: 0, count: count)
    var place = 0
    while place + 20 <= count {
      let size = Int(number(bytes, place))
      let type = number(bytes, place + 4)
      // `moof` and `traf` hold boxes: the next begins inside.
      if type == 0x6d6f_6f66 || type == 0x7472_6166 {
        place += 8
        continue
      }
      if type == 0x7472_756e, number(bytes, place + 8) & 0x1 != 0 {
        let start = number(bytes, place + 16) &+ UInt32(truncatingIfNeeded: distance)
        for index in 0..<4 {
          bytes[place + 16 + index] = UInt8(truncatingIfNeeded: start >> UInt32(24 - 8 * index))
        }
      }
      guard size >= 8 else { return }
      place += size
    }
  }

  private static func number(_ bytes: borrowing MutableSpan<UInt8>, _ place: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in place..<place + 4 { value = value << 8 | UInt32(bytes[index]) }
    return value
  }
}
