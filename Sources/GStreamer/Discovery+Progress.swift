import CGStreamer
import GraphKitSystem

/// How much of a file has been read: each block counts once, however often it is read.
final class BlockCount: Sendable {
  private let blocks = Monitor<Set<UInt64>>([])

  private static let size: UInt64 = 4_096

  var count: Int { blocks.withLock { $0.count } }

  /// Some bytes were read. Of many blocks at once the first and the last are enough.
  func add(_ offset: UInt64, count: UInt64) {
    let end = offset &+ max(count, 1) &- 1
    blocks.withLock { blocks in
      blocks.insert(offset / Self.size)
      blocks.insert(end / Self.size)
    }
  }
}

/// Watches whether a reader gets anywhere.
struct ReadWatch {
  private var progress = -1
  private var since = ReadWatch.now
  private var cpuSeconds = ProcessTime.cpuSeconds

  /// How long a reader may take to get on, in seconds, and how much of that it must have had of a
  /// processor: where a machine is busy or a disk slow, it isn't the reader who is.
  private static let time = 3.0
  private static let cpuTime = 0.5

  /// Takes a number that changes with all that is read or found.
  mutating func isStuck(progress now: Int) -> Bool {
    guard now == progress else {
      self = ReadWatch()
      progress = now
      return false
    }
    guard Self.now - since >= Self.time else { return false }
    let used = (ProcessTime.cpuSeconds - cpuSeconds) / Double(ProcessTime.sharers)
    return used >= Self.cpuTime || !Machine.hasWorkingThread
  }

  private static var now: Double { Double(g_get_monotonic_time()) / 1e6 }
}

extension Pad {
  /// Counts what passes by where it is in its file.
  func count(_ blocks: BlockCount) {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box, let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        let buffer = unsafe data.assumingMemoryBound(to: GstBuffer.self)
        unsafe Unmanaged<BlockCount>.fromOpaque(box).takeUnretainedValue()
          .add(UInt64(buffer.pointee.offset), count: UInt64(gst_buffer_get_size(buffer)))
        return GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(blocks).toOpaque(), { box in unsafe releaseBox(box) })
  }
}

extension Element {
  /// Stops the pipeline; where one of its threads doesn't come back within a second, it is left
  /// alone with all that it uses.
  func abandonOrStop() {
    let isDone = Monitor(false)
    _ = StreamingThread(name: "stop", running: self) { element in
      element.setState(.null)
      isDone.withLock { $0 = true }
      isDone.wakeAll()
    }
    let hasEnded = isDone.withLock { done in
      for _ in 0..<20 where !done { isDone.wait(&done, nanoseconds: 50_000_000) }
      return done
    }
    if !hasEnded { LostThreads.add() }
  }

  /// The factory of the demuxer or parser inside of this pipeline that data get to last.
  var readerName: String? {
    guard let iterator = unsafe gst_bin_iterate_recurse(bin(raw)) else { return nil }
    return unsafe Element.all(of: iterator).first { element in
      !element.isBin && (element.isKind("Demux") || element.isKind("Parser"))
    }?.factoryName
  }

  /// Whether its factory says that it is of a kind.
  func isKind(_ word: String) -> Bool {
    guard let factory = unsafe gst_element_get_factory(raw),
      let text = unsafe gst_element_factory_get_metadata(factory, "klass")
    else { return false }
    return unsafe String(cString: text).contains(word)
  }
}
