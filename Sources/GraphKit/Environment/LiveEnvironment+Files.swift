import GStreamer
import GraphKitSystem

/// How long a file may take to show its streams, in nanoseconds: a machine that is busy reads slowly.
private let discoveryTime: UInt64 = 20_000_000_000

extension LiveEnvironment {
  /// The streams of a file, in its own order, those with video first.
  public func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    try discover(path, withTags: false)
  }

  /// The same, on request with what the streams say of themselves, which takes longer.
  package func discover(
    _ path: String, withTags: Bool
  ) throws(NodeError) -> [DiscoveredStream] {
    let path = path.localPath
    let input = try readableFile(path)
    var streams: [DiscoveredStream]
    do throws(NodeError) { streams = try discover(path, input.file, withTags) } catch {
      throw input.fetchingError ?? error.hidingSecrets(of: path)
    }
    // What wasn't there may have been taken for what the file doesn't say.
    if let error = input.fetchingError { throw error }
    if input.isOfWebServer { for index in streams.indices { streams[index].fetched = input } }
    return streams
  }

  private func discover(
    _ path: String, _ file: File, _ withTags: Bool
  ) throws(NodeError) -> [DiscoveredStream] {
    let pcm =
      WAVHeader.locate(path, file) ?? W64Header.locate(path, file) ?? CAFHeader.locate(path, file)
    if let pcm { return [DiscoveredStream(pcm)] }
    // GStreamer's parser would wait for ever for what isn't there.
    if let fault = WAVHeader.fault(of: path, file) { throw fault }
    // GStreamer's says so only where it isn't still being linked when it finds that out.
    if MovieFile.lacksIndex(path) { throw .movieWithoutIndex(path) }
    let edits = MovieEdits(path)
    if let pcm = edits?.pcm { return [DiscoveredStream(pcm)] }
    let streams: [Discovery.Stream]
    let start = (try? file.read(at: 0, count: MultiplexHead.byteCount)) ?? []
    if let header = GIFHeader(start) { return [header.discoveredStream] }
    let soundEdit =
      WAVHeader.edit(of: file) ?? AIFFAsWAV.edit(of: file) ?? CAFHeader.edit(of: file)
    if soundEdit == nil, let format = UnreadFormat(start, file) { throw format.error(path) }
    let head = MultiplexHead(start)
    let beginning = MP3Beginning(path, file)
    let clock = TransportClock(file, start)
    let matroska = MatroskaTracks(file, start)
    let reading =
      soundEdit ?? edits?.reading ?? beginning?.reading ?? clock?.reading ?? matroska.reading
    do {
      streams = try Discovery.streams(
        of: path, in: file, within: discoveryTime, least: head.flashStreams, times: head.isThere,
        tags: withTags,
        changes: (reading ?? StreamEdit()).fileChanges)
    } catch {
      throw unreadable(path, error)
    }
    guard !streams.isEmpty else {
      throw NodeError(
        "`\(path)` has no streams", remedy: "give a file with audio or video", key: "path")
    }
    let origin = head.isThere ? streams.compactMap(\.firstTime).min() : nil
    let shortfall = FileExtent.shortfall(of: path, file) ?? beginning?.loss
    let flac = FLACBeginning(file, start)
    let least = clock?.length(of: file)
    let seeks = ExactSeeks(edits, flac)
    let chapters = edits?.chapters ?? MatroskaChapters.read(file, start)
    let labels = edits?.labels ?? matroska.labels
    return streams.map { stream in
      let format = format(of: stream, edits)
      var found = DiscoveredStream(
        identifier: stream.identifier, format: format,
        duration: stream.trackNumber.flatMap { edits?.fragmentEnds[$0] }
          ?? stream.duration.map { max(MediaTime(clock: $0), least ?? .zero) },
        edit: edits.map { $0.edit(of: stream, format) } ?? soundEdit
          ?? StreamEdit.stated(by: file, at: beginning?.offset, of: format) ?? flac?.edit)
      found.presentation =
        stream.trackNumber.flatMap { edits?.presentations[$0] } ?? found.gaplessPresentation
      if let origin { found.edit = StreamEdit(origin: MediaTime(clock: origin)) }
      (found.shortfall, found.colors) = (shortfall, stream.colors)
      found.pictures = stream.pictures.map(AttachedPicture.init)
      found.taggedDuration = stream.taggedDuration.map { MediaTime(clock: $0) }
      // GStreamer may say it only with the first sample.
      let languages = edits?.languages ?? matroska.languages
      if withTags, let language = stream.trackNumber.flatMap({ languages[$0] }) {
        found.tags["language-tag"] = Library.shortTag(ofLanguage: language)
      }
      if shortfall == nil {
        found.end =
          stream.trackNumber.flatMap { edits?.ends[$0] }
          ?? (streams.count == 1
            ? FileExtent.statedEnd(of: found.format, lasting: found.duration, start) : nil)
      }
      if found.edit == nil {
        found.edit = .stated(byPages: start, of: found.format)
      }
      if let reading { found.edit = found.edit?.reading(as: reading) ?? reading }
      if let grid = stream.trackNumber.flatMap({ matroska.frameGrids[$0] }) {
        found.edit = found.edit ?? StreamEdit(patches: [:])
        found.edit?.frameGrid = grid
      }
      found.edit?.webVTTHead = stream.trackNumber.flatMap { matroska.webVTTHeads[$0] }
      found.canSeek = seeks.isExact(format, track: stream.trackNumber)
      found.comesLate = head.flashStreams > 1
      (found.chapters, found.location) = (chapters, edits?.location)
      found.rotation = stream.trackNumber.flatMap { edits?.rotations[$0] }
      found.lastFrame = stream.trackNumber.flatMap { edits?.lastFrames[$0] }
      found.label = stream.trackNumber.flatMap { labels[$0] }
      let texts = edits?.textFormats ?? matroska.textFormats
      found.textFormat = stream.trackNumber.flatMap { texts[$0] }
      found.tags.merge(stream.tags(of: found.label)) { first, _ in first }
      return found
    }
  }

  private func format(of stream: Discovery.Stream, _ edits: MovieEdits?) -> MediaFormat {
    if let format = stream.trackNumber.flatMap({ edits?.pcmFormats[$0] }) { return format }
    let format = FormatDescription(caps: stream.caps).format
    guard case .encoded(let encoded) = format else { return format }
    return .encoded(encoded.sureOfDecoding(capsText: stream.caps.description))
  }

  private func readableFile(_ path: String) throws(NodeError) -> InputFile {
    let input = try InputFile(path)
    guard input.file.size > 0 else {
      throw NodeError(
        "`\(path)` is empty", remedy: "give a file with audio or video", key: "path")
    }
    return input
  }

  private func unreadable(_ path: String, _ failure: Discovery.Failure) -> NodeError {
    switch failure {
    case .failed(let text):
      NodeError(
        "`\(path)` is no media file that GStreamer can read: \(text)",
        remedy: "check the file with `gst-discoverer-1.0` or install the plug-in for its type",
        key: "path")
    case .nothingFound:
      NodeError(
        "`\(path)` shows no streams",
        remedy: "check that the file is whole", key: "path")
    case .stuck(let reader):
      NodeError(
        "`\(path)` shows no streams: "
          + (reader.map { "GStreamer's `\($0)` reads it and finds none" }
            ?? "GStreamer finds nothing in it that it knows"),
        remedy: "check that the file is whole, or convert it with another program", key: "path")
    case .timedOut:
      NodeError(
        "`\(path)` shows no streams in the time that a file may take",
        remedy: "check that the file is whole, and its disk or network fast enough", key: "path")
    case .playlist(let kind):
      NodeError(
        "`\(path)` is \(kind), which has no media and names where they are",
        remedy: "give the files themselves; a stream is received, and not read as a file",
        key: "path")
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
    if File.isFolder(path) {
      return File.isWritable(path) ? .folder : .blocked("the folder there may not be written to")
    }
    if File.isPipe(path) { return .blocked("it is a pipe") }
    let folder = path.folder
    guard File.isFolder(folder) else { return .blocked("there is no folder `\(folder)`") }
    if File.isLinkToNothing(path) { return .blocked("it is a link to nothing") }
    if File.exists(path) {
      return File.isWritable(path) ? .file : .blocked("the file there may not be changed")
    }
    return File.isWritable(folder)
      ? .free : .blocked("the folder `\(folder)` may not be written to")
  }

  /// The names in a folder.
  public func names(in folder: String) -> [String] { Machine.names(in: folder) }

  /// The file that is there, or else its folder and its name in it.
  public func identity(of path: String) -> FileIdentity? {
    let path = path.localPath
    if let (device, number) = File.number(of: path) {
      return FileIdentity(device: device, number: number)
    }
    guard let (device, number) = File.number(of: path.folder) else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return FileIdentity(device: device, number: number, name: name)
  }
}

extension String {
  /// The folder of a path.
  fileprivate var folder: String {
    lastIndex(of: "/").map { $0 == startIndex ? "/" : String(self[..<$0]) } ?? "."
  }
}

extension MovieEdits {
  /// The edit of a stream, whose identifier ends in its track's number. PCM is cut anywhere by
  /// GStreamer itself.
  fileprivate func edit(of stream: Discovery.Stream, _ format: MediaFormat) -> StreamEdit? {
    guard case .encoded = format else { return nil }
    return stream.trackNumber.flatMap { edits[$0] }
  }
}

extension DiscoveredStream {
  /// All that an encoder of MP3 was given, where the file says how much that is.
  fileprivate var gaplessPresentation: MediaTimeRange? {
    guard let edit, edit.packetFrames != nil, edit.cutsLastPacket, let end = edit.end else {
      return nil
    }
    return MediaTimeRange(start: .zero, duration: end - edit.start)
  }
}

extension Discovery.Stream {
  /// What is said of it and of its file. GStreamer's readers give the name of a track as its title.
  fileprivate func tags(of label: TrackLabel?) -> [String: String] {
    var tags = tags
    if let name = label?.name, tags["title"] == name { tags["title"] = nil }
    return tags.merging(fileTags) { first, _ in first }
  }

  /// The colours, where its caps say them.
  fileprivate var colors: String? {
    CapsStructure.all(in: caps.description)?.first?.text("colorimetry")
  }

  /// The number of its track in a movie, or in a Matroska file: `002:1234`, its number and identifier.
  fileprivate var trackNumber: Int? {
    let name = identifier.split(separator: "/").last
    return name?.split(separator: ":").first.flatMap { Int($0) }
  }
}

extension GIFHeader {
  /// The pictures: straight alpha, each as large as the whole, at times of their own.
  fileprivate var discoveredStream: DiscoveredStream {
    var stream = DiscoveredStream(
      identifier: "gif", format: .video(VideoFormat(.rgba, width: width, height: height)),
      duration: nil)
    stream.isAnimation = true
    return stream
  }
}

extension StreamEdit {
  /// How the file is read, other than it is.
  var fileChanges: FileChanges {
    FileChanges(patches: patches, insertions: insertions, end: fileEnd)
  }
}
