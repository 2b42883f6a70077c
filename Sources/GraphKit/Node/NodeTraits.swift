/// What the engine has to know of a node to plan and run it: a closed set, in which every node says
/// what it needs, whatever its type.
public struct NodeTraits: Hashable, Sendable {
  /// Whether samples come as time passes, whether anything is ready for them or not. Times of packets are
  /// those at which they are heard, so that sinks skip nothing of what their encoder began with.
  public var isLive = false

  /// Whether another process reads the source's file, and decodes its streams for all that takes them
  /// raw: their packets go to sinks alone, which write them as they are.
  public var isReadApart = false

  /// Whether the samples of audio that leave are some of those that come, as they are: nothing is
  /// computed of them.
  public var keepsSamples = false

  /// Whether samples leave at other times than they come at, as where a part is left out: what is said of
  /// times in a file, such as its chapters, then holds no more, unless ``timeChange`` says where they are.
  /// Of nodes with the role of a decoder, a converter, an effect or an encoder only these are asked; the
  /// others say nothing of their times.
  public var movesTimes = false

  /// The times at which samples leave, where they are others, and follow from those at which they come:
  /// chapters then are at theirs. `nil` for the same, or what isn't known beforehand.
  public var timeChange: TimeChange?

  /// Whether the node writes chapters into its file, those of what comes.
  package var writesChapters = false

  /// Whether samples come without end, as fast as they are taken: a source that repeats itself.
  public var isEndless = false

  /// Whether what the source gives can be read once, and not again by another run: what comes through a
  /// pipe.
  public var isReadOnce = false

  /// Whether nothing leaves before the last sample has come, so that a source that goes on as
  /// long as time passes is of no use to the node.
  public var needsWholeStream = false

  /// Whether the node is only ever given the newest sample, and nothing waits for it: a preview.
  public var takesNewestOnly = false

  /// Whether the node takes what it can get, and no other node, nor the end of the run, waits for it: a
  /// sink that sends over a network, say. It must never hold up what comes to it for long.
  public var isBestEffort = false

  /// Whether what the node does depends on which way up frames are. Those that their file says to
  /// turn are then turned before they enter.
  public var needsUprightVideo = false

  /// Whether the node hands on a part of each frame, changing nothing in it, and of which size.
  public var crop: Crop?

  /// How much later than they come samples are presented. Where that differs on two ways from one
  /// source, queues are sized by it.
  public var presentationShift = MediaTime.zero

  /// Whether a repeatable input's instances come one after the other: nothing of `video.2` and
  /// `audio.2` is taken before `video` and `audio` have ended, and inputs of one number are taken in
  /// the order of their samples' times. What waits for its turn holds up its source.
  public var takesInputsInTurn = false

  /// The length of a sink's session, from its first video sample on where it has video; `nil` for
  /// no limit. What comes later isn't taken, and for its sender the stream has then ended.
  public var maximumDuration: MediaTime?

  /// Whether a sink takes ranges of files' streams as they are encoded: with what decoding them begins
  /// with, which players of its file then skip.
  public var copiesRanges = false

  /// Whether the node writes its data to standard output, where then nothing else may be written.
  public var writesStandardOutput = false

  /// Whether only the run shows what leaves the node, in the fields that its ports leave open: what comes
  /// through a pipe, say. It is then taken as it is, and converted where a wire needs something else.
  /// Of files and decoders this is known.
  public var leavesFormatToRun = false

  /// Whether the node may need any plug-in while it runs, since what comes decides: then all of them are
  /// known from the start.
  public var needsAllPlugins = false

  /// The times of its input's frames that the node needs, where it needs no others: then only what
  /// these frames need is decoded, where the node alone is fed by a file. `nil` for all frames.
  public var frameTimes: FrameTimes?

  /// Whether what leaves the node for a frame depends on that frame, its time and the parameters alone:
  /// pieces of a video can then go through it apart.
  public var isFramewise = false

  /// The most frames from one key frame to the next, of an encoder whose stream can be put together of
  /// parts that encoders with the same parameters have made: each begins with a key frame before which
  /// nothing is needed, and the codec's configuration depends on the parameters and the frames' format
  /// alone. `nil` for all others.
  public var groupLength: Int?

  /// The sizes of a frame's part.
  public enum Crop: Hashable, Sendable {
    /// Any size.
    case anySize
    /// An even width and height, whatever enters: of any frame of 32 pixels and more each way.
    case evenSize
  }

  /// The traits of a node that takes what comes, as it comes, and hands on all that it makes of it.
  public init(
    isLive: Bool = false, needsWholeStream: Bool = false, takesNewestOnly: Bool = false,
    needsUprightVideo: Bool = false, crop: Crop? = nil, presentationShift: MediaTime = .zero,
    maximumDuration: MediaTime? = nil, copiesRanges: Bool = false,
    writesStandardOutput: Bool = false, isBestEffort: Bool = false, frameTimes: FrameTimes? = nil,
    takesInputsInTurn: Bool = false, leavesFormatToRun: Bool = false, isEndless: Bool = false,
    isFramewise: Bool = false, groupLength: Int? = nil, isReadOnce: Bool = false,
    keepsSamples: Bool = false, movesTimes: Bool = false
  ) {
    self.isLive = isLive
    self.needsWholeStream = needsWholeStream
    self.takesNewestOnly = takesNewestOnly
    self.needsUprightVideo = needsUprightVideo
    self.crop = crop
    self.presentationShift = presentationShift
    self.maximumDuration = maximumDuration
    self.copiesRanges = copiesRanges
    self.writesStandardOutput = writesStandardOutput
    self.isBestEffort = isBestEffort
    self.frameTimes = frameTimes
    self.takesInputsInTurn = takesInputsInTurn
    self.leavesFormatToRun = leavesFormatToRun
    self.isEndless = isEndless
    self.isFramewise = isFramewise
    self.groupLength = groupLength
    self.isReadOnce = isReadOnce
    self.keepsSamples = keepsSamples
    self.movesTimes = movesTimes
  }
}
