import GStreamer
import GraphKitSystem

/// A sample that another process has put into shared memory.
package struct IsolatedSample: Sendable {
  let placed: IsolationReply.Placed
  let format: FormatDescription
  let lease: SharedSlots.Lease

  /// When it is presented; invalid where unknown.
  package var time: MediaTime { Self.time(placed.time) }

  /// The sample, which isn't copied: the memory is in use as long as it is. `nil` where it isn't all
  /// in its memory, or not what its format says.
  package func makeBuffer() -> SampleBuffer? {
    guard format.caps.areWholeSamples(byteCount: placed.byteCount),
      let buffer = Buffer(
        sharing: lease.slot.region, from: placed.offset, byteCount: placed.byteCount,
        keeping: lease)
    else { return nil }
    var sample = SampleBuffer(buffer, format: format)
    sample.presentationTime = time
    sample.duration = Self.time(placed.duration)
    sample.isDiscontinuity = placed.isDiscontinuity
    sample.fields = placed.fields
    return sample
  }

  private static func time(_ nanoseconds: Int?) -> MediaTime {
    nanoseconds.map { MediaTime(nanoseconds: Int64($0)) } ?? .invalid
  }
}

extension SampleBuffer {
  /// How the fields of an interlaced frame lie in it, as elements note it: whether it has fields (1),
  /// the top one comes first (2), the first is to be repeated (4), or there is one alone (8). 0 for a
  /// frame without.
  package var fields: Int {
    get { buffer.fields }
    set { buffer.fields = newValue }
  }

  /// Copies raw media into shared memory, as a frame or block of its format is laid out; returns how
  /// many bytes that makes, and copies nothing where they don't fit. `nil` where they can't be read.
  package borrowing func copy(to memory: SharedMemory, from offset: Int) -> Int? {
    buffer.copy(to: memory, from: offset, caps: format.caps)
  }
}
