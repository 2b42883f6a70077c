/// Pictures in tags that no file is written with.
extension RunContext {
  /// Warns once of those that come to a node with tags: files have pictures in JPEG and PNG.
  func warnOfPictures(in tags: StreamTags, at node: String) {
    for picture in tags.pictures where !picture.isCover {
      let format = picture.format.map { "in \($0)" } ?? "of an unknown format"
      warnOnce(
        "a picture \(format) is left out, since the file takes JPEG and PNG: save it in the source as "
          + "one of them", of: node)
    }
  }

  /// Warns of what isn't said yet of a node.
  private func warnOnce(_ message: String, of node: String) {
    let warning = RunWarning(node: node, message: message)
    guard !log.warnings.kept().entries.contains(warning) else { return }
    log.send(.warning(node: node, message: message))
  }
}
