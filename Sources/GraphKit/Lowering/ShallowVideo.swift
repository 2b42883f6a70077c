import GStreamer
import GraphKitSystem
import Media

/// Video of high dynamic range in eight bits, as raw video is here: it shows steps in skies and shadows.
extension RunContext {
  /// Warns once where such video comes to an encoder's input.
  func warnOfShallowVideo(at pad: Pad, _ node: String) {
    let isSaid = Monitor(false)
    pad.guardFormat { [log] _, caps in
      guard case .video(let video) = MediaFormat(capsText: caps.description),
        let range = ColorNumbers(colorimetry: video.colorimetry)?.highRange,
        isSaid.withLock({ said in
          defer { said = true }
          return !said
        })
      else { return true }
      log.send(
        .warning(
          node: node,
          message: "it gets \(range.rawValue) video in 8 bits, which shows steps; a `toneMap` "
            + "before it makes it video of standard range, and a copy keeps it as it is"))
      return true
    }
  }
}
