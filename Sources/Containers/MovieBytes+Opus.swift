extension MovieBytes {
  /// Puts the headers of Opus tracks right: `mp4mux` (1.22) writes their numbers with the lowest
  /// byte first, and players would skip 14,337 samples instead of 312.
  ///
  /// The header is version, channels, pre-skip, sampling rate and gain, with the highest byte first
  /// (Encapsulation of Opus in ISO Base Media File Format, 4.3.2).
  package mutating func repairOpusHeaders() {
    let name = Array("dOps".utf8)
    for start in 0..<max(0, bytes.count - 16) where bytes[start..<start + 4].elementsEqual(name) {
      let (skip, rate, gain) = (start + 6, start + 8, start + 12)
      // No audio has a rate of four bytes.
      guard bytes[rate] != 0, bytes[rate + 3] == 0 else { continue }
      bytes[skip..<rate].reverse()
      bytes[rate..<gain].reverse()
      bytes[gain..<gain + 2].reverse()
    }
  }
}
