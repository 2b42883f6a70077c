import GraphKit

/// What is wrong with a movie's parameters, by themselves and with what is wired.
extension MP4Sink {
  var kind: MovieKind? { MovieKind(path: path) }

  public var problem: NodeError? {
    // A path that isn't given yet is reported by another rule.
    if !path.isEmpty, kind == nil {
      return NodeError(
        "`\(path)` is not named as a movie", remedy: "end it in \(MovieKind.endings)", key: "path")
    }
    return trackProblem ?? brandProblem ?? partsProblem ?? playlistProblem
      ?? recordingProblem ?? (creationTime.isEmpty ? nil : creationProblem) ?? tags.problem
      ?? TrackLanguages(languages).problem ?? alternatives.problem
  }

  /// A track by itself is fragments from its beginning to its end.
  private var trackProblem: NodeError? {
    guard let kind, kind.isTrack else { return nil }
    let others = [
      (PartNames.hasField(path), "path"), (playlist, "playlist"), (!crashSafe, "crashSafe"),
      (optimizeForNetworkUse, "optimizeForNetworkUse"), (!chapters.isEmpty, "chapters"),
    ]
    guard let key = others.first(where: \.0)?.1 else { return nil }
    return NodeError(
      "a CMAF track file (.\(kind)) "
        + (key == "path" ? "has no parts" : "goes without `\(key)`"),
      remedy: key == "path" ? "leave the fields out of the path" : "leave it out, or write an .mp4",
      key: key)
  }

  private var brandProblem: NodeError? {
    guard !brand.isEmpty else { return nil }
    if brand.utf8.count != 4 || !brand.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) {
      return NodeError(
        "`\(brand)` is no brand", remedy: "write four letters of ASCII: \"mp42\"", key: "brand")
    }
    guard let kind, kind.isQuickTime || kind.isTrack else { return nil }
    return NodeError(
      "a file that ends in .\(kind) has the brand `\(kind.brand)`",
      remedy: "leave `brand` out, or end the name in .mp4", key: "brand")
  }

  /// Parts have names of their own, and are finished one by one.
  private var partsProblem: NodeError? {
    let isSplit = PartNames.hasField(path)
    let keys = [
      (splitEvery > 0, "splitEvery"), (splitSize > 0, "splitSize"), (keepParts > 0, "keepParts"),
      (keepSize > 0, "keepSize"), (keepTimes, "keepTimes"),
    ]
    if !isSplit, !path.isEmpty, let key = keys.first(where: \.0)?.1 {
      return NodeError(
        "`\(key)` is for a movie in parts, and `\(path)` names a single file",
        remedy: "write `{number}`, or `{date}` and `{time}`, in the path", key: key)
    }
    guard isSplit else { return nil }
    if path.split(separator: "/").dropLast().contains(where: { PartNames.hasField(String($0)) }) {
      return NodeError(
        "the folder of `\(path)` has a field in its name", remedy: "write it in the file's name",
        key: "path")
    }
    let others = [
      (playlist, "playlist"), (optimizeForNetworkUse, "optimizeForNetworkUse"),
      (!chapters.isEmpty, "chapters"),
    ]
    guard let key = others.first(where: \.0)?.1 else { return nil }
    return NodeError(
      "a movie in parts has no `\(key)`", remedy: "leave it out, or the fields in the path",
      key: key)
  }

  /// The segments are the fragments of an MP4 file, which stay where they are.
  private var playlistProblem: NodeError? {
    guard playlist else { return nil }
    let (what, key) =
      !crashSafe
      ? ("a movie that isn't written in fragments", "crashSafe")
      : optimizeForNetworkUse
        ? ("a movie whose samples move at the end", "optimizeForNetworkUse")
        : kind == .mov ? ("a QuickTime movie", "path") : ("", "")
    guard !what.isEmpty else { return nil }
    return NodeError(
      "\(what) has no segments for a playlist",
      remedy: key == "path" ? "end the name in .mp4" : "leave `\(key)` out, or `playlist`",
      key: key)
  }

  private var creationProblem: NodeError? {
    guard let time = CalendarTime(creationTime) else {
      return NodeError(
        "`\(creationTime)` is no date and time", remedy: "write it as 2026-01-31T12:00:00Z",
        key: "creationTime")
    }
    guard !CalendarTime.ofMovies.contains(time.secondsSince1970) else { return nil }
    return NodeError(
      "a movie can't say that it was made at `\(creationTime)`",
      remedy: "give a time from 1904-01-01T00:00:00Z to 2040-02-06T06:28:15Z", key: "creationTime")
  }

  /// An M4A file has no video, and ProRes is QuickTime's own.
  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    if let problem = trackProblem(formats: formats) { return problem }
    if kind != .mov, formats.values.contains(where: { $0.codecs == [.prores] }) {
      return NodeError(
        "`\(path)` is named as an MP4 file, and ProRes, which those have no name for, is wired to it",
        remedy: "end it in .mov", key: "path")
    }
    if let port = languages.keys.sorted().first(where: { formats[$0] == nil }) {
      return NodeError(
        "`languages` names \(port), to which nothing is wired",
        remedy: "name one of \(formats.keys.sorted().joined(separator: ", "))", key: "languages")
    }
    if let problem = alternatives.problem(formats: formats) { return problem }
    guard kind?.isAudioOnly == true,
      formats.values.contains(where: { $0.kind.decoded == .video })
    else { return nil }
    return NodeError(
      "`\(path)` is named as audio only, and video is wired to it",
      remedy: "end it in .mp4, .m4v or .mov", key: "path")
  }

  private func trackProblem(formats: [String: FormatConstraint]) -> NodeError? {
    guard let kind, kind.isTrack else { return nil }
    let wanted: MediaKind = kind == .cmfv ? .encodedVideo : .encodedAudio
    guard formats.count > 1 || formats.values.contains(where: { $0.kind != wanted }) else {
      return nil
    }
    let ports = formats.keys.sorted().joined(separator: ", ")
    return NodeError(
      "`\(path)` is named as a track of encoded \(kind == .cmfv ? "video" : "audio") by itself, and "
        + "\(ports) \(formats.count == 1 ? "is" : "are") wired",
      remedy: "give each track a sink of its own, .cmfv or .cmfa, or end the name in .mp4",
      key: "path")
  }

  /// A limit counts from the beginning of the run, whatever is recorded of it.
  private var recordingProblem: NodeError? {
    guard seconds > 0, !recording else { return nil }
    return NodeError(
      "`seconds` counts from the beginning of the run, and not from that of a recording",
      remedy: "leave `seconds` out, and set `recording` to false when it is enough", key: "seconds")
  }
}
