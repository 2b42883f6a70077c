/// The numbers that queue sizes are made of, each with its reason.
enum QueueBounds {
  /// How far one input of a node may run ahead of the others beyond what their delays explain.
  /// A file's chunks of about a second keep a player from seeking to and fro, and a second
  /// rides out a disk that pauses.
  static let interleavingWindow = Nanoseconds.second
  /// What a queue that no delay asks for holds: as much as the window lets a sink use.
  static let base = Nanoseconds.second
  /// How long a sink waits for a track that may never come; a device starts within 5 s.
  static let firstSampleTimeout = 5 * Nanoseconds.second
  /// The longest block or frame that is reckoned with where the format doesn't tell.
  static let unknownBlock = Nanoseconds.second / 10
  /// What a wire may hold at most because of a delay: 2 s of 1080p at 40 frames a second.
  static let byteLimit = 256 << 20
  /// What a wire may hold at most where no delay asks for it. There, bytes only cost memory.
  static let relaxedByteLimit = 64 << 20
  /// Bytes a second of encoded media, and of raw audio of unknown format: 128 Mbit/s is more
  /// than any delivery format takes, and than eight channels of 64 bits at 192 kHz.
  static let assumedBytesPerSecond = 16 << 20
  /// Bytes a second of audio that was encoded with loss: 24 channels of AAC at 48 kHz can't take
  /// more.
  static let lossySoundBytesPerSecond = 1 << 20
  /// The same of a channel, where their number is known: AAC at 96 kHz takes at most 72,000, and Opus
  /// 64,000.
  static let lossyChannelBytesPerSecond = 96 << 10
  /// Samples a second where the format doesn't tell: encoded audio has at most 400, cameras 1000.
  static let assumedSamplesPerSecond = 1000.0
  /// Frames a second of raw video that doesn't tell.
  static let assumedFrameRate = 60.0
  /// The highest sampling rate that PCM is met with.
  static let assumedSampleRate = 192_000
  /// How far apart the inputs of a program are that appends to each in turn: pictures may be seconds long.
  static let longestTurn = 10 * Nanoseconds.second
  /// How many frames an encoder may give before the last of those that are presented before them, with
  /// the first of them: tracks of a file end where none is missing (``FrameBorders``).
  static let mostReordered: Int64 = 17
  /// What every queue can hold, however large they are: one to fill while the other is drained.
  static let leastSamples = 2
}

/// Lengths of time in whole nanoseconds: exact to add, and finer than any block.
enum Nanoseconds {
  static let second: Int64 = 1_000_000_000
  /// A day. No lookahead is that long, and sums of such lengths can't overflow.
  static let longest = 86_400 * second

  /// A length in nanoseconds, rounded up; `nil` where it is negative, too long or no number.
  static func count(_ time: MediaTime) -> Int64? {
    guard time.isNumeric, time.timescale > 0, time.value >= 0 else { return nil }
    let scale = Int64(time.timescale)
    let (whole, rest) = time.value.quotientAndRemainder(dividingBy: scale)
    guard whole < longest / second else { return nil }
    return whole * second + (rest * second + scale - 1) / scale
  }

  /// A number of nanoseconds as media time.
  static func time(_ count: Int64) -> MediaTime {
    MediaTime(value: count, timescale: Int32(second))
  }
}
