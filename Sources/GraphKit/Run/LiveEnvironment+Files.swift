import GStreamer

extension LiveEnvironment {
  /// The streams of a file, in its own order, those with pictures first.
  public func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    try checkReadable(path)
    if let pcm = WAVHeader.locate(path) { return [DiscoveredStream(pcm)] }
    let streams: [Discovery.Stream]
    do {
      streams = try Discovery.streams(of: path, within: 5_000_000_000)
    } catch {
      throw unreadable(path, error)
    }
    guard !streams.isEmpty else {
      throw NodeError(
        "`\(path)` has no streams", remedy: "give a file with sound or pictures", key: "path")
    }
    return streams.map { stream in
      DiscoveredStream(
        identifier: stream.identifier, format: FormatDescription(caps: stream.caps).format,
        duration: stream.duration.map { MediaTime(clock: $0) })
    }
  }

  private func checkReadable(_ path: String) throws(NodeError) {
    guard !File.isFolder(path) else {
      throw NodeError("`\(path)` is a folder", remedy: "name a file in it", key: "path")
    }
    do {
      guard try File(path).size > 0 else {
        throw NodeError(
          "`\(path)` is empty", remedy: "give a file with sound or pictures", key: "path")
      }
    } catch let error as NodeError {
      throw error
    } catch let error as File.Failure {
      throw NodeError(
        "`\(path)` can't be opened: \(error.text)",
        remedy: "give a file that is there and may be read", key: "path")
    } catch {
      throw NodeError("`\(path)` can't be opened: \(error)", remedy: "check it", key: "path")
    }
  }

  private func unreadable(_ path: String, _ failure: Discovery.Failure) -> NodeError {
    switch failure {
    case .failed(let text):
      NodeError(
        "`\(path)` is no media file that GStreamer can read: \(text)",
        remedy: "check the file with `gst-discoverer-1.0` or install the plug-in for its type",
        key: "path")
    case .timedOut:
      NodeError(
        "`\(path)` shows no streams within 5 s",
        remedy: "check that the file is whole", key: "path")
    case .missing(let element):
      NodeError(
        "`\(path)` can't be read without the GStreamer element `\(element)`",
        remedy: "install gstreamer1.0-plugins-base")
    }
  }
}

extension LiveEnvironment {
  /// Whether a file can be made at a path.
  public func outputPlace(_ path: String) -> OutputPlace {
    if path.isEmpty { return .blocked("the path is empty") }
    if File.isFolder(path) { return .blocked("it is a folder") }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard File.isFolder(folder) else { return .blocked("there is no folder `\(folder)`") }
    if File.exists(path) {
      return File.isWritable(path) ? .file : .blocked("the file there may not be changed")
    }
    return File.isWritable(folder)
      ? .free : .blocked("the folder `\(folder)` may not be written to")
  }
}
