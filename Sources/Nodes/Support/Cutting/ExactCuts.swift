import Containers
import GraphKit
import GraphKitSystem

/// Where the video streams of a file are cut so that copies of a range have its frames alone.
struct ExactCuts: Sendable {
  private var cuts: [String: MovieCut] = [:]

  /// No cuts: copies begin with a key frame.
  init() {}

  /// Finds out for the streams of a file, by their ports, and for a range. Refuses those whose ends
  /// can't be encoded.
  init(
    _ path: String, _ streams: [(port: String, stream: DiscoveredStream)], range: FileRange
  ) throws(NodeError) {
    for (port, stream) in streams where port.hasPrefix("video") {
      let number = stream.identifier.split(separator: "/").last.flatMap { Int($0) }
      do throws(MovieCut.Problem) {
        guard let number else { throw .notListed }
        cuts[port] = try MovieCut(path, track: number, range: range.nanoseconds)
      } catch {
        throw NodeError(
          "`\(path)` can't be cut exactly: \(error.text)",
          remedy: "leave out `exact`, which only copies need, or encode all of the range",
          key: "exact")
      }
    }
  }

  /// The parts of a port's stream, which `source` has; `nil` where it isn't cut.
  func parts(
    of port: String, _ stream: DiscoveredStream, _ source: FileSource, _ range: FileRange,
    _ constraint: FormatConstraint
  ) -> StreamParts? {
    guard let cut = cuts[port], let file = source.fileStreams?[port] else { return nil }
    let start = range.nanoseconds.lowerBound
    var (rows, parts) = ([StreamParts.Row](), [JoinedPackets.Part]())
    for (piece, isEnd) in [(cut.tail, true), (cut.head, false)] {
      guard let piece else { continue }
      let numbers = cut.configuration.freeIdentifiers
      var encoder = H264Encoder(joining: cut.configuration.encodedProfile)
      encoder.options = ["sps-id=\((isEnd ? numbers.last : numbers.first) ?? 0)"]
      rows.append(StreamParts.Row([source.part(piece), Self.decoder, encoder], output: port))
      parts.append(.encoded(MediaTime(nanoseconds: piece.lowerBound - start), isEnd: isEnd))
    }
    if let middle = cut.middle {
      rows.append(StreamParts.Row([source.part(middle)], output: port))
      parts.append(.copied(middle.times(from: start)))
    }
    let joint = JoinedPackets(parts, of: file, constraint, cut: cut, colors: stream.colors)
    return StreamParts(rows, joint: joint)
  }

  private static var decoder: Decoder {
    var decoder = Decoder()
    decoder.media = .video
    return decoder
  }
}

extension H264Encoder {
  /// An encoder of frames that are joined with others: none is presented in another order than it is
  /// decoded, so that any number of them can be.
  fileprivate init(joining profile: Profile) {
    self.init()
    (self.profile, quality, preset, bFrames) = (profile, 18, .fast, 0)
    keyFrameInterval = 100_000
  }
}

extension AVCConfiguration {
  fileprivate var encodedProfile: H264Encoder.Profile {
    switch profile {
    case 66: .baseline
    case 77: .main
    default: .high
    }
  }
}

extension FileSource {
  /// Another part of the same file, without cuts of its own.
  fileprivate func part(_ times: Range<Int64>) -> FileSource {
    var part = self
    part.from = Double(times.lowerBound) / 1e9
    part.to = times.upperBound == .max ? nil : Double(times.upperBound) / 1e9
    (part.duration, part.exact, part.cuts) = (nil, false, ExactCuts())
    return part
  }
}

extension Range<Int64> {
  /// The time that it takes after another, where it has an end.
  fileprivate func times(from start: Int64) -> MediaTimeRange {
    MediaTimeRange(
      start: MediaTime(nanoseconds: lowerBound - start),
      duration: upperBound == .max
        ? .positiveInfinity : MediaTime(nanoseconds: upperBound - lowerBound))
  }
}

extension MovieCut.Problem {
  fileprivate var text: String {
    switch self {
    case .notListed: "it has no index of all its frames, or presents them in several parts"
    case .codec: "its video isn't H.264, or it is encrypted"
    case .format:
      "its H.264 isn't of 8 bits, 4:2:0 and whole frames in the profile baseline, main or high"
    case .configuration: "its H.264 is framed so that frames of an encoder don't fit beside it"
    }
  }
}
