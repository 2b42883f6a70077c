import GraphKitSystem

extension Element {
  /// Has a `capsfilter` pass only the format that passes first, so that the converters before it convert
  /// what comes later to it.
  package func keepFirstFormat() {
    let isKept = Monitor(false)
    pad("src")?.guardFormat { pad, caps in
      let wasKept = isKept.withLock { isKept in
        defer { isKept = true }
        return isKept
      }
      if !wasKept { pad.setOfElement("caps", caps.description) }
      return true
    }
  }
}
