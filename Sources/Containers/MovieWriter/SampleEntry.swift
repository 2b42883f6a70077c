import Media

/// The description of a track's samples (ISO/IEC 14496-12, 8.5.2).
struct SampleEntry {
  let format: MovieTrackFormat
  /// Whether the file is a QuickTime movie, which wraps the configurations of audio in other boxes.
  let isQuickTime: Bool
  /// Whether it is the text of chapters.
  var isChapters = false
  /// The beginning of the first sample: AC-3, E-AC-3 and AV1 have their configurations there.
  let firstBytes: [UInt8]
  /// Whether it is text that is shown though users want no subtitles.
  var isForced = false

  /// Writes the table of a track's descriptions, in their order.
  static func write(_ entries: [SampleEntry], to writer: inout BoxWriter) {
    writer.fullBox("stsd") { writer in
      writer.write(entries.count, bytes: 4)
      for entry in entries { entry.write(to: &writer) }
    }
  }

  private func write(to writer: inout BoxWriter) {
    writer.box(type) { writer in
      writer.writeZeros(6)
      writer.write(1, bytes: 2)
      switch format.content {
      case .text: isChapters ? Self.writeTitle(to: &writer) : writeSubtitle(to: &writer)
      case .pcm(let samples) where isVersion2: writeVersion2(samples, to: &writer)
      case .pcm(let samples): writePCM(samples, to: &writer)
      case .coded: if format.isVideo { writeVideo(to: &writer) } else { writeAudio(to: &writer) }
      }
    }
  }

  private var type: String {
    switch format.content {
    case .text: isChapters ? "text" : "tx3g"
    case .pcm(let samples): isVersion2 ? "lpcm" : pcmType(samples)
    case .coded(let codec): type(of: codec)
    }
  }

  private func type(of codec: Codec) -> String {
    switch codec {
    case .h264: "avc1"
    case .hevc: "hvc1"
    case .vp9: "vp09"
    case .av1: "av01"
    case .jpeg: isQuickTime ? "jpeg" : "mp4v"
    case .prores: format.variant
    case .mp3: isQuickTime ? ".mp3" : "mp4a"
    case .opus: "Opus"
    case .flac: "fLaC"
    case .alac: "alac"
    case .ac3: "ac-3"
    case .eac3: "ec-3"
    default: "mp4a"
    }
  }
}

// MARK: Video

extension SampleEntry {
  private func writeVideo(to writer: inout BoxWriter) {
    writer.writeZeros(16)
    writer.write(format.width, bytes: 2)
    writer.write(format.height, bytes: 2)
    // 72 pixels an inch each way, and a frame a sample.
    for _ in 0..<2 { writer.write(72 << 16, bytes: 4) }
    writer.writeZeros(4)
    writer.write(1, bytes: 2)
    writer.writeZeros(32)
    writer.write(24, bytes: 2)
    writer.write(0xffff, bytes: 2)
    writeConfiguration(to: &writer)
    if let shape = format.pixelAspectRatio, shape != Rational(1) {
      writer.box("pasp") { writer in
        writer.write(shape.numerator, bytes: 4)
        writer.write(shape.denominator, bytes: 4)
      }
    }
    if let color = format.color { write(color, to: &writer) }
    if !format.masteringDisplay.isEmpty {
      writer.box("mdcv") { $0.write(format.masteringDisplay) }
    }
    if !format.contentLight.isEmpty { writer.box("clli") { $0.write(format.contentLight) } }
  }

  private func writeConfiguration(to writer: inout BoxWriter) {
    switch format.codec {
    case .h264: writer.box("avcC") { $0.write(format.configuration) }
    case .hevc: writer.box("hvcC") { $0.write(format.configuration) }
    case .vp9: writer.fullBox("vpcC", version: 1) { $0.write(format.configuration) }
    case .av1:
      let found = AV1Configuration(inSample: firstBytes)?.bytes ?? format.configuration
      writer.box("av1C") { $0.write(found) }
    case .jpeg where !isQuickTime: writeStream(objectType: 0x6c, streamType: 4, to: &writer)
    default: break
    }
  }

  private func write(_ color: ColorNumbers, to writer: inout BoxWriter) {
    writer.box("colr") { writer in
      writer.write(isQuickTime ? "nclc" : "nclx")
      for number in [color.primaries, color.transfer, color.matrix] {
        writer.write(number, bytes: 2)
      }
      if !isQuickTime { writer.write(color.isFullRange ? 0x80 : 0, bytes: 1) }
    }
  }
}

// MARK: Audio

extension SampleEntry {
  private func writeAudio(to writer: inout BoxWriter) {
    // QuickTime's own layout has four fields more (QuickTime File Format, "Sound Sample
    // Description (Version 1)").
    let isExtended = isQuickTime && [.aac, .alac, .mp3].contains { $0 == format.codec }
    writer.write(isExtended ? 1 : 0, bytes: 2)
    writer.writeZeros(6)
    writer.write(format.channels, bytes: 2)
    writer.write(format.bitDepth, bytes: 2)
    writer.write(isExtended ? 0xfffe : 0, bytes: 2)
    writer.writeZeros(2)
    // A rate that 16 bits can't hold is in the configuration alone.
    let rate = format.timescale
    writer.write(rate <= 0xffff ? rate << 16 : 0, bytes: 4)
    if isExtended {
      writer.write(format.codec == .mp3 ? 1_152 : format.codec == .alac ? 4_096 : 1_024, bytes: 4)
      for value in [0, 0, 2] { writer.write(value, bytes: 4) }
    }
    writeAudioConfiguration(to: &writer)
  }

  private func writeAudioConfiguration(to writer: inout BoxWriter) {
    switch format.codec {
    case .aac where isQuickTime:
      writeWave("mp4a", to: &writer) { writer in
        writer.box("mp4a") { $0.writeZeros(4) }
        writeStream(objectType: 0x40, streamType: 5, to: &writer)
      }
    case .aac: writeStream(objectType: 0x40, streamType: 5, to: &writer)
    case .mp3 where isQuickTime: break
    // MPEG-2's half rates have a number of their own (ISO/IEC 14496-1, 7.2.6.6).
    case .mp3:
      writeStream(objectType: format.sampleRate < 32_000 ? 0x69 : 0x6b, streamType: 5, to: &writer)
    case .alac where isQuickTime:
      writeWave("alac", to: &writer) { writer in
        writer.fullBox("alac") { $0.write(format.configuration) }
      }
    case .alac: writer.fullBox("alac") { $0.write(format.configuration) }
    case .opus: writer.box("dOps") { $0.write(format.configuration) }
    case .flac: writer.fullBox("dfLa") { $0.write(format.configuration) }
    case .ac3: writer.box("dac3") { $0.write(AC3Configuration(firstBytes).bytes) }
    case .eac3: writer.box("dec3") { $0.write(EAC3Configuration(firstBytes).bytes) }
    default: break
    }
  }

  private func writeWave(
    _ codec: String, to writer: inout BoxWriter, _ content: (inout BoxWriter) -> Void
  ) {
    writer.box("wave") { writer in
      writer.box("frma") { $0.write(codec) }
      content(&writer)
      writer.write(8, bytes: 4)
      writer.write(0, bytes: 4)
    }
  }

  /// An elementary stream's descriptor (ISO/IEC 14496-1, 7.2.6.5, and 14496-14, 3.1.2).
  private func writeStream(objectType: Int, streamType: Int, to writer: inout BoxWriter) {
    let specific = format.configuration
    let specificSize = specific.isEmpty ? 0 : 5 + specific.count
    writer.fullBox("esds") { writer in
      Self.descriptor(3, size: 3 + 5 + 13 + specificSize + 5 + 1, to: &writer)
      writer.write(0, bytes: 2)
      writer.write(0, bytes: 1)
      Self.descriptor(4, size: 13 + specificSize, to: &writer)
      writer.write(objectType, bytes: 1)
      writer.write(streamType << 2 | 1, bytes: 1)
      // The buffer, and the highest and the average bit rate: not known while it records.
      writer.writeZeros(11)
      if !specific.isEmpty {
        Self.descriptor(5, size: specific.count, to: &writer)
        writer.write(specific)
      }
      Self.descriptor(6, size: 1, to: &writer)
      writer.write(2, bytes: 1)
    }
  }

  /// A descriptor's tag, and its size in four bytes, as encoders write it.
  private static func descriptor(_ tag: Int, size: Int, to writer: inout BoxWriter) {
    writer.write(tag, bytes: 1)
    for shift in [21, 14, 7] { writer.write(size >> shift & 0x7f | 0x80, bytes: 1) }
    writer.write(size & 0x7f, bytes: 1)
  }
}
