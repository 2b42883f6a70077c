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
      let number = (isEnd ? numbers.last : numbers.first) ?? 0
      let encoder = cut.configuration.encoder(number, hasColors: stream.colors != nil)
      rows.append(StreamParts.Row([source.part(piece), Self.decoder, encoder], output: port))
      let time = MediaTime(nanoseconds: piece.lowerBound - start)
      parts.append(.encoded(time, number: number, isEnd: isEnd))
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

extension VideoConfiguration {
  /// An encoder of frames that are joined with others of the configuration: none is presented in another
  /// order than it is decoded, so that any number of them can be.
  fileprivate func encoder(_ number: Int, hasColors: Bool) -> any Node {
    switch self {
    case .avc(let configuration): H264Encoder(joining: configuration, number)
    case .hevc: HEVCEncoder(joiningWithColors: hasColors)
    }
  }
}

extension H264Encoder {
  fileprivate init(joining configuration: AVCConfiguration, _ number: Int) {
    self.init()
    profile = [66: Profile.baseline, 77: .main][configuration.profile] ?? .high
    (quality, preset, bFrames, keyFrameInterval) = (18, .fast, 0, 100_000)
    options = ["sps-id=\(number)"]
  }
}

extension HEVCEncoder {
  fileprivate init(joiningWithColors hasColors: Bool) {
    self.init()
    (quality, preset, bFrames, keyFrameInterval) = (18, .fast, 0, 100_000)
    // GStreamer's encoder always names some where it isn't asked for none.
    let names = hasColors ? [] : ["colorprim", "transfer", "colormatrix"]
    options = names.map { "\($0)=unknown" }
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
    case .codec: "its video is neither H.264 nor HEVC, or it is encrypted"
    case .format:
      "its video isn't of 8 bits, 4:2:0 and whole frames: H.264 in the profile baseline, main or high, "
        + "or HEVC in main"
    case .configuration: "its video is framed so that frames of an encoder don't fit beside it"
    case .changingSets:
      "its video is of several settings, as where movies were joined: there are other parameter sets in "
        + "its packets than in its index"
    }
  }
}
