public import GraphKit
import Nodes
import GraphKitSystem

/// A media file that was looked into: its tracks, with their formats.
///
/// It stays what it was when it was opened. Reading it throws where the file has changed since.
public struct MediaAsset: Sendable {
  /// Where the file is, a path of this machine or an address.
  public let path: String
  /// The tracks of audio, video and text, in the file's order, those with video first.
  public let tracks: [AssetTrack]
  /// What the file says of itself, by GStreamer's names of tags: `title`, `artist`, `album`.
  public let metadata: [String: String]
  /// The parts of the file that have titles.
  public let chapters: [AssetChapter]
  let streams: [DiscoveredStream]
  let stamp: FileStamp?

  /// Looks into a file, on a thread of its own: that may take seconds.
  ///
  /// Throws a `NodeError` where the file can't be opened or holds no media that GStreamer can read.
  public init(path: String) async throws(NodeError) {
    let path = path.localPath
    let stamp = FileStamp(path)
    let streams = try await Self.streams(of: path).get()
    (self.path, self.streams, self.stamp) = (path, streams, stamp)
    tracks = FileSource.ports(of: streams).enumerated().map { index, found in
      AssetTrack(number: index + 1, port: found.port, found.stream)
    }
    metadata = Self.metadata(of: streams)
    chapters = streams.first.map { $0.chapters.map(AssetChapter.init) } ?? []
  }

  /// When the last track ends; zero where the file doesn't say.
  public var duration: MediaTime { tracks.map(\.end).filter(\.isNumeric).max() ?? .zero }

  /// The tracks of a kind, in the file's order.
  public func tracks(_ kind: AssetTrack.Kind) -> [AssetTrack] { tracks.filter { $0.kind == kind } }

  private static func streams(of path: String) async -> Result<[DiscoveredStream], NodeError> {
    await withCheckedContinuation { continuation in
      _ = StreamingThread(name: "asset", running: Path(path)) { file in
        continuation.resume(
          returning: Result { () throws(NodeError) in
            try LiveEnvironment().discover(file.text, withTags: true)
          })
      }
    }
  }

  /// What all tracks say, or the first that says it: codecs and bit rates are of one track.
  private static func metadata(of streams: [DiscoveredStream]) -> [String: String] {
    var all: [String: String] = [:]
    for stream in streams {
      for (name, text) in stream.tags where !AssetTrack.isOfTrack(name) {
        if all[name] == nil { all[name] = text }
      }
    }
    return all
  }

  private final class Path: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }
}

/// A part of a file that has a title.
public struct AssetChapter: Hashable, Sendable {
  /// When it begins.
  public let time: MediaTime
  /// What it is called.
  public let title: String

  init(_ chapter: MovieChapter) {
    (time, title) = (MediaTime(value: Int64(chapter.start), timescale: 1_000), chapter.title)
  }
}
