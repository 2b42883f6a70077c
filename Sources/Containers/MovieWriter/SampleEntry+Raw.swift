import Media

/// The descriptions of PCM: QuickTime's own ("Sound Sample Descriptions"), and of MP4 that of
/// ISO/IEC 23003-5.
extension SampleEntry {
  /// Whether QuickTime's second version describes the PCM, which has room for all there is.
  var isVersion2: Bool {
    guard case .pcm(let samples) = format.content, isQuickTime else { return false }
    return samples != .s16 || format.channels > 2 || format.sampleRate > 0xffff
  }

  func pcmType(_ samples: SampleFormat) -> String {
    isQuickTime ? "sowt" : samples.isFloat ? "fpcm" : "ipcm"
  }

  func writePCM(_ samples: SampleFormat, to writer: inout BoxWriter) {
    writer.writeZeros(8)
    writer.write(format.channels, bytes: 2)
    writer.write(8 * samples.bytesPerSample, bytes: 2)
    writer.writeZeros(4)
    writer.write(format.sampleRate <= 0xffff ? format.sampleRate << 16 : 0, bytes: 4)
    guard !isQuickTime else { return }
    writer.fullBox("pcmC") { writer in
      // The lowest byte of a sample comes first.
      writer.write(1, bytes: 1)
      writer.write(8 * samples.bytesPerSample, bytes: 1)
    }
    let places = format.speakers.positions
    guard format.channels > 2, places.count == format.channels else { return }
    writer.fullBox("chnl") { writer in
      // Channels with a speaker each, in no layout that has a number.
      writer.write(1, bytes: 1)
      writer.write(0, bytes: 1)
      writer.write(places)
    }
  }

  func writeVersion2(_ samples: SampleFormat, to writer: inout BoxWriter) {
    writer.write(2, bytes: 2)
    writer.writeZeros(6)
    for value in [3, 16, 0xfffe, 0] { writer.write(value, bytes: 2) }
    writer.write(0x1_0000, bytes: 4)
    writer.write(72, bytes: 4)
    writer.write(Int(bitPattern: UInt(Double(format.sampleRate).bitPattern)), bytes: 8)
    writer.write(format.channels, bytes: 4)
    writer.write(0x7f00_0000, bytes: 4)
    writer.write(8 * samples.bytesPerSample, bytes: 4)
    // Packed, and floating point or signed, the lowest byte first.
    writer.write(8 | (samples.isFloat ? 1 : samples == .u8 ? 0 : 4), bytes: 4)
    writer.write(format.frameSize ?? 0, bytes: 4)
    writer.write(1, bytes: 4)
    guard format.channels > 2, format.speakers.count == format.channels else { return }
    // The layout is in a bitmap, whose bits are those of WAV files (Core Audio Format, "Channel
    // Layout Chunk").
    writer.fullBox("chan") { writer in
      for value in [1 << 16, Int(format.speakers.rawValue), 0] { writer.write(value, bytes: 4) }
    }
  }
}

extension SampleFormat {
  fileprivate var isFloat: Bool { self == .f32 || self == .f64 }
}

// MARK: Text

extension SampleEntry {
  /// White letters at the bottom, as players show them unless users ask for others (3GPP TS 26.245,
  /// 5.16).
  func writeSubtitle(to writer: inout BoxWriter) {
    // That some samples are forced, and that all are ("Subtitle Sample Data").
    writer.write(isForced ? 0xc000_0000 : 0, bytes: 4)
    writer.write(0x01ff, bytes: 2)
    // No background, and no box but the whole track's.
    writer.writeZeros(12)
    for value in [0, 0, 1] { writer.write(value, bytes: 2) }
    writer.write(18, bytes: 2)
    writer.write(0xffff_ffff, bytes: 4)
    writer.box("ftab") { writer in
      writer.write(1, bytes: 2)
      writer.write(1, bytes: 2)
      let name = "Sans-Serif"
      writer.write(name.utf8.count, bytes: 1)
      writer.write(name)
    }
  }

  /// The usual font, for titles that aren't drawn (QuickTime File Format, "Text Sample
  /// Description").
  static func writeTitle(to writer: inout BoxWriter) {
    writer.writeZeros(4)
    writer.write(1, bytes: 4)
    writer.writeZeros(6 + 8 + 8 + 2 + 2 + 1 + 2 + 6 + 1)
  }
}
