import GraphKit
import GraphKitSystem

extension NodeError {
  /// Why an encoder of so many channels doesn't take what enters; `nil` where it does, or that isn't
  /// known.
  static func tooManyChannels(in format: FormatConstraint?, most: Int) -> NodeError? {
    guard let channels = format?.channels.first, channels > most else { return nil }
    let counts = [6, 2, 1].filter { $0 <= most }.map(String.init)
    return NodeError(
      "\(channels) channels enter, and it takes at most \(most)",
      // More can't be mixed.
      remedy: channels > 8
        ? "give it audio of at most \(most)"
        : "put an `audioConvert` before it whose `channels` are \(FormatWords.either(counts))")
  }
}

extension FormatConstraint {
  /// How long a number of frames is, at the rate that is known or the lowest that may come.
  static func length(of frames: Int, at format: FormatConstraint?, lowest: Int = 8_000) -> MediaTime
  {
    MediaTime(frames: frames, at: format?.sampleRates.first ?? lowest)
  }
}

extension ElementSpec {
  /// What says which speakers channels are for, where their stream doesn't: some encoders refuse
  /// audio of which they don't know that. By itself it leaves samples as they are.
  static let speakerPlacer = ElementSpec("audioconvert", plugin: "audioconvert")
}

extension ElementChain {
  /// An encoder that has only some layouts of channels: audio for other speakers is mixed to these.
  init(_ encoder: ElementSpec, placing targets: ChannelTargets) {
    self.init([.speakerPlacer] + ElementSpec.filter(targets) + [encoder])
    filters["in"] = [.steadyAudio, .mixed(to: targets)]
  }

  /// Has pictures in tags pass an encoder that would write them into its stream's header, where readers of
  /// its caps meet each as text. Files of audio are written with them by their sinks.
  mutating func keepPicturesFromHeader() {
    filters["in", default: []].append(.hiddenPictures)
    filters["out", default: []].append(.shownPictures)
  }
}

extension ChannelTargets {
  /// The layouts of Vorbis and Opus, and those of FLAC.
  static let usual = ChannelTargets((3...8).map(Speakers.usual))
}

extension PadFilter {
  /// An encoder keeps to one sample rate and one number of channels: what it makes says them once, and
  /// some take others for those.
  static let steadyAudio = PadFilter.steady { change in
    guard case .audio(let old) = change.old, case .audio(let new) = change.new,
      old.sampleRate != new.sampleRate || old.channels != new.channels
    else { return nil }
    return NodeError(
      "the audio changes at \(change.time.seconds) s from \(old) to \(new), and an encoder keeps to one",
      remedy: "put an `audioConvert` with a `sampleRate` and `channels` before it")
  }

  /// What has entered an encoder of MP3 is counted, so that ``mp3Packets(of:rate:)`` know it.
  static func counted(by count: Monitor<Int>) -> PadFilter {
    .samples { sample in
      let frames = sample.frameCount
      count.withLock { $0 += frames }
    }
  }

  /// Packets of an encoder of MP3 last as long as what entered it, and what it put before that.
  static func mp3Packets(of count: Monitor<Int>, rate: Int) -> PadFilter {
    .stream { MP3Lengths(entered: count, sampleRate: rate) }
  }

  /// Packets of GStreamer's encoder of Opus get the times and lengths that decoding takes.
  static let opusPackets = PadFilter.stream { OpusLengths() }

  /// Packets of the encoder of Opus have the times at which players present them, as readers of Matroska
  /// and Ogg give them: `matroskamux` adds what the header has players skip.
  static let presentedOpusPackets = PadFilter.stream { OpusPresentation() }
}

/// Has the last packet of an encoder of MP3 end with the audio, and leaves out those that hold none.
///
/// LAME puts 1,105 samples before the first, and fills the last packets up with silence.
private struct MP3Lengths: StreamFilter {
  let entered: Monitor<Int>
  let sampleRate: Int
  private var count = 0

  init(entered: Monitor<Int>, sampleRate: Int) {
    (self.entered, self.sampleRate) = (entered, sampleRate)
  }

  mutating func pass(_ packet: inout SampleBuffer) throws(NodeError) -> Bool {
    let frames = sampleRate < 32_000 ? 576 : 1_152
    let left = MP3Encoder.priming + entered.withLock { $0 } - count * frames
    guard left > 0 else { return false }
    count += 1
    packet.duration = MediaTime(frames: min(frames, left), at: sampleRate)
    return true
  }
}

/// Undoes what `opusenc` takes away from the first packet's time: what players skip of a stream is for
/// the file to say, and its packets have all that they decode to.
///
/// The encoder presents the first packet where the audio begins, shorter by the 312 samples before
/// that, and all others that much earlier. The last ends with the audio.
private struct OpusLengths: StreamFilter {
  private var isFirst = true

  mutating func pass(_ packet: inout SampleBuffer) throws(NodeError) -> Bool {
    guard !packet.isHeader else { return true }
    if isFirst {
      if packet.duration.isNumeric { packet.duration = packet.duration + OpusEncoder.lead }
    } else if packet.presentationTime.isNumeric {
      packet.presentationTime = packet.presentationTime + OpusEncoder.lead
    }
    if packet.decodeTime.isNumeric { packet.decodeTime = packet.presentationTime }
    isFirst = false
    return true
  }
}

/// Has packets of Opus after the first be as much earlier as players skip. The first is presented when the
/// audio begins: earlier, it would be before its stream.
private struct OpusPresentation: StreamFilter {
  private var hasBegun = false

  mutating func pass(_ packet: inout SampleBuffer) throws(NodeError) -> Bool {
    guard packet.presentationTime.isNumeric else { return true }
    if hasBegun { packet.presentationTime = packet.presentationTime - OpusEncoder.lead }
    packet.decodeTime = packet.presentationTime
    hasBegun = true
    return true
  }
}
