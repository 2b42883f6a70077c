/// Which part of a stream its file has presented, and when: what an edit list says
/// (ISO/IEC 14496-12, 8.6.6), or the header of an MP3 file.
public struct StreamEdit: Hashable, Sendable {
  /// The stream's own time at which it begins. What is before it is decoded, as an encoder's
  /// priming must be, and not presented.
  public var start = MediaTime.zero
  /// How long after the file's beginning that is.
  public var delay = MediaTime.zero
  /// The stream's own time at which it ends: no packet that begins later belongs to it.
  public var end: MediaTime?
  /// Whether a packet that goes beyond the end is cut there. An edit list's end is mostly too
  /// coarse for that: its movie's units are milliseconds.
  public var cutsLastPacket = false
  /// When the key frame is presented that decoding begins at, of frames that begin between two;
  /// `nil` for what is decoded from its beginning.
  package var keyFrame: MediaTime?
  /// The stream's own time at which the file begins, where nothing is cut and GStreamer may take
  /// another stream's beginning for it.
  package var origin: MediaTime?
  /// Frames of each packet, where the times of packets are to be counted: a parser's are rounded.
  package var packetFrames: Int?
  /// What the numbers in the headers of FLAC's frames are good for; `nil` of other codecs.
  package var flacNumbers: FLACNumbers?
  /// How many samples of the first packets a demuxer may have a decoder leave out, and of the last
  /// none, where it notes more than that.
  package var preSkip: Int?
  /// The times of the stream's frames, where those that a demuxer gives are rounded.
  package var frameGrid: FrameGrid?
  /// How many lines come before each text of WebVTT, which a demuxer takes for texts of another kind;
  /// `nil` of all else.
  package var webVTTHead: Int?
  /// Bytes that a demuxer is to read in place of the file's, by offset: it would apply the edits
  /// itself otherwise, less exactly.
  package var patches: [Int: [UInt8]] = [:]
  /// Bytes that a demuxer is to find inserted before an offset of the file. Offsets of ``patches`` and
  /// ``fileEnd`` count them.
  package var insertions: [Int: [UInt8]] = [:]
  /// The offset at which the file is to end for its demuxer, where more follows that it would get
  /// wrong.
  package var fileEnd: Int?

  /// Whether the demuxer's own segments say what is presented: the beginning and the end here don't
  /// count.
  package var keepsSegments = false
  /// Whether those end at a sample's time that is rounded: they then end a quarter of a sample
  /// earlier, in units of the beginning.
  package var hasRoundedEnd = false

  /// All of the stream, from the beginning.
  public init() {}

  /// All of a stream, as a demuxer's own segments present it, of a file that is read otherwise than it
  /// is.
  package init(insertions: [Int: [UInt8]] = [:], patches: [Int: [UInt8]] = [:]) {
    (self.insertions, self.patches, keepsSegments) = (insertions, patches, true)
  }

  /// The same of a file that is to be read as another edit says.
  package func reading(as other: StreamEdit) -> StreamEdit {
    var edit = self
    edit.insertions = other.insertions
    edit.patches.merge(other.patches) { own, _ in own }
    edit.fileEnd = other.fileEnd ?? fileEnd
    return edit
  }

  /// All of a stream of a file that begins at a time of the stream.
  package init(origin: MediaTime) { self.origin = origin }
}

/// What the numbers in the headers of FLAC's frames are good for.
package enum FLACNumbers: Hashable, Sendable {
  /// They count as they say.
  case asStated
  /// They may count samples where they say that they count frames: a parser gives wrong times then.
  case doubtful
}
