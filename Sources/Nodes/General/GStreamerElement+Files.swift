import GraphKit

/// The files that elements read and write by a `location`.
extension GStreamerElement {
  /// The properties that name files: a sink writes there, a source reads.
  private static let locations = ["location", "playlist-location"]

  public var namedFiles: [NamedFile] {
    guard let inspection else { return [] }
    let directions = Set(inspection.pads.map(\.direction))
    // What has pads of both kinds may look something up there, such as a picture to lay over.
    guard directions.count == 1 else { return [] }
    return Self.locations.compactMap { name in
      guard inspection.properties.contains(name), case .string(let text)? = properties[name],
        let path = text.filePath
      else { return nil }
      return NamedFile(path, key: "properties.\(name)", isWritten: directions.contains(.input))
    }
  }

  /// Refuses to write over files, as every sink does.
  func checkFiles(in environment: any Environment) throws(NodeError) {
    // What is appended to keeps what it has.
    guard !overwrite, !environment.replacesFiles, properties["append"] != .bool(true) else {
      return
    }
    for file in namedFiles where file.isWritten && !file.path.hasPrefix("/dev/") {
      for path in file.existing(in: environment) {
        do {
          try OutputFile(path, replaces: false).check(in: environment)
        } catch {
          throw NodeError(error.message, remedy: error.remedy, key: file.key)
        }
      }
    }
  }
}

extension String {
  /// The path of a location that leads to this machine's files; `nil` for another address.
  fileprivate var filePath: String? {
    let scheme = "file://"
    let path = hasPrefix(scheme) ? String(dropFirst(scheme.count)) : self
    return path.isEmpty || path.contains("://") ? nil : path
  }
}
