import GStreamer
import System

/// The index that a muxer writes before the fragments of a file, put right on its way there.
///
/// `mp4mux` (1.22) lets the fragments of every track count from 0, and writes no edit list before
/// it has written the last: tracks of a movie that was cut off would begin together, whenever their
/// first samples were, and frames that are decoded early would come late. So the times at which the
/// tracks begin are noted on their way in, and an edit list says them from the start. The index
/// also says which way up the frames are.
final class FragmentIndex: MuxerWatch {
  private struct State {
    var tracks: [TrackStart?] = []
    var rotations: [Rotation?] = []
    var isDone = false
  }

  private let state = Monitor(State())

  /// Watches what a muxer writes. A muxer that could go back would keep a list of all fragments,
  /// and write the index again at the end.
  init(output: Pad) {
    output.refuseSeeking()
    let order = FragmentOrder()
    output.replaceBuffers { [self] buffer in
      var buffer = buffer
      repair(&buffer)
      return order.arrange(buffer)
    }
  }

  /// Notes when the samples of a muxer's next track begin, and how players turn them; in the order
  /// of the tracks' numbers.
  func addTrack(_ pad: Pad, _ rotation: Rotation?) {
    let index = state.withLock { state in
      state.tracks.append(nil)
      state.rotations.append(rotation)
      return state.tracks.count - 1
    }
    pad.onFirstTime { [state] presentation, decode in
      state.withLock {
        $0.tracks[index] = TrackStart(presentation: presentation, decode: decode ?? presentation)
      }
    }
  }

  /// Changes a buffer that is the index of a movie in fragments; what else there is passes.
  private func repair(_ buffer: inout Buffer) {
    guard !state.withLock({ $0.isDone }), Self.isIndex(buffer), let bytes = Self.bytes(of: buffer)
    else { return }
    let (tracks, rotations) = state.withLock { state in
      state.isDone = true
      return (state.tracks, state.rotations)
    }
    var index = MovieBytes(bytes: bytes)
    index.repairOpusHeaders()
    index.turnTracks(rotations)
    buffer = Buffer(index.startingTracks(tracks) ?? index.bytes)
  }

  /// Whether a buffer is a `moov` box, and not samples that happen to begin like it.
  private static func isIndex(_ buffer: borrowing Buffer) -> Bool {
    let size = buffer.size
    guard size >= 16, let map = BufferMap(buffer) else { return false }
    let head = map.span(of: UInt8.self, from: 0, count: 8)
    guard head.count == 8, head[4] == UInt8(ascii: "m"), head[5] == UInt8(ascii: "o"),
      head[6] == UInt8(ascii: "o"), head[7] == UInt8(ascii: "v")
    else { return false }
    return (0..<4).reduce(0) { $0 << 8 | Int(head[$1]) } == size
  }

  private static func bytes(of buffer: borrowing Buffer) -> [UInt8]? {
    guard let map = BufferMap(buffer) else { return nil }
    let span = map.span(of: UInt8.self, from: 0, count: map.size)
    return span.indices.map { span[$0] }
  }
}

extension MuxerPass {
  /// Completes what a muxer writes in fragments of ISO/IEC 14496-12: it isn't let go back in what it
  /// has written, its index learns on its way when the tracks begin and which have no samples, and
  /// each fragment's samples come before the box that describes them.
  public static let isoFragments = MuxerPass { FragmentIndex(output: $0) }
}
