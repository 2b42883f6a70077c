import GStreamer

extension Element {
  /// Links the first pad of a medium that appears. What doesn't fit is left: the node hears that nothing
  /// comes of it.
  ///
  /// Samples of further pads of the medium are dropped, and where `isOnly` says that no other medium is
  /// wired, those of all others: an element ends where none of its first samples are taken.
  func linkFirst(_ medium: MediaKind, to target: Pad?, isOnly: Bool = false) {
    let family = medium.decoded == .video ? "video/" : "audio/"
    onPadAdded { pad in
      let isOfMedium = pad.possibleCaps?.description.hasPrefix(family) == true
      if isOfMedium, let target, !target.isLinked, pad.link(to: target) { return }
      if isOfMedium || isOnly { pad.replaceBuffers { _ in nil } }
    }
  }
}
