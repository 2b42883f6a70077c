import Media

extension MovieIndex {
  /// What has GStreamer's demuxer (1.22) read the PCM of tracks as it is, by where in the box of the index it
  /// goes.
  ///
  /// It takes each frame of the newer descriptions (version 2) for a packet, as their compression of -2 says,
  /// and ends after the first thousand, or gives none a time. And it doesn't read that the lowest byte of
  /// `fl32`, `fl64` and `in32` comes first, but does where a description of the newer kind says so.
  var pcmPatches: [Int: [UInt8]] {
    var patches: [Int: [UInt8]] = [:]
    for track in tracks where track.kind == .encodedAudio {
      guard let sound = PCMDescription(data, track) else { continue }
      if sound.isOfFrames { patches[sound.start + 28] = [0, 0] }
      if sound.isMisread, let description = sound.description {
        patches[sound.start + 4] = Array("lpcm".utf8)
        patches[sound.start + 16] = description
      }
    }
    return patches
  }

  /// What the PCM of tracks is that the demuxer doesn't read right without that, by their numbers.
  var pcmFormats: [Int: MediaFormat] {
    var formats: [Int: MediaFormat] = [:]
    for track in tracks where track.kind == .encodedAudio {
      guard let sound = PCMDescription(data, track), sound.isMisread else { continue }
      let format = sound.description == nil ? nil : sound.format
      formats[track.identifier] =
        format.map { .audio($0) } ?? .other(caps: "audio/x-\(sound.codec)-little-endian")
    }
    return formats
  }
}

extension PCMDescription {
  /// The fields of the newer description of the same PCM, from its version on; `nil` where the description
  /// has no room for them.
  var description: [UInt8]? {
    guard size >= 72, let format else { return nil }
    var bytes: [UInt8] = []
    func append(_ value: UInt64, bytes count: Int) {
      for place in (0..<count).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place)))
      }
    }
    // The version and six bytes of no meaning, and what is always the same but for the compression.
    for (value, count) in [(0x0002_0000, 4), (0, 4), (3, 2), (16, 2), (0, 4), (0x0001_0000, 4)] {
      append(UInt64(value), bytes: count)
    }
    append(72, bytes: 4)
    append(Double(format.sampleRate).bitPattern, bytes: 8)
    let isFloat = format.sampleFormat == .f32 || format.sampleFormat == .f64
    let size = format.sampleFormat.bytesPerSample
    // Floating point or with a sign, and without gaps.
    let flags = isFloat ? 9 : 12
    for value in [format.channels, 0x7f00_0000, 8 * size, flags, size * format.channels, 1] {
      append(UInt64(value), bytes: 4)
    }
    return bytes
  }
}
