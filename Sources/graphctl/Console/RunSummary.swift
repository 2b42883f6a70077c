import GraphKit

/// What a run did, in a few lines for a person.
struct RunSummary {
  var report: Report

  init(_ report: Report) { self.report = report }

  /// One line for each file that was written.
  var lines: [String] { report.outputs.map(\.text) }

  /// Why the run failed, what to do, and what was written all the same.
  func failure(of graph: String) -> String {
    var lines = ["\(graph): error: \(report.failure?.description ?? "the run failed")"]
    lines += details
    lines += report.outputs.filter { ($0.bytes ?? 0) > 0 }.map { "written until then: \($0.text)" }
    return lines.joined(separator: "\n")
  }

  /// What GStreamer said, but for what the failure's own words hold of it already.
  private var details: [String] {
    guard let failure = report.failure, let detail = failure.detail else { return [] }
    return detail.split(separator: "\n").map(String.init).filter {
      !failure.description.contains($0)
    }
  }
}

extension OutputReport {
  /// The file in a line: `record.mp4: 10.00 s, 1.2 MB: video avc1, 300 samples, 10.00 s; …`.
  var text: String {
    if let problem { return "\(path): can't be read: \(problem)" }
    let size = (bytes ?? 0).fileSize
    guard let contents else { return "\(path): \(size)" }
    return "\(path): \(contents.duration.decimals(2)) s, \(size): \(contents.text)"
  }
}

extension ContainerSummary {
  /// The tracks in a line, or that there are none.
  var text: String {
    guard !tracks.isEmpty else { return "no tracks" }
    return tracks.map { track in
      "\(track.kind.word) \(track.codec), \(track.sampleCount) samples, "
        + "\(track.start.decimals(2)) to \((track.start + track.duration).decimals(2)) s"
    }.joined(separator: "; ")
  }
}

extension MediaKind {
  /// The kind as a person calls a track of it.
  fileprivate var word: String {
    switch self {
    case .audio, .encodedAudio: "audio"
    case .video, .encodedVideo: "video"
    case .text: "text"
    case .peaks, .measurement, .any: "other"
    }
  }
}

extension Int {
  /// A file's size in the unit that fits it.
  var fileSize: String {
    switch self {
    case ..<1_000: "\(self) B"
    case ..<1_000_000: "\((Double(self) / 1e3).decimals(1)) kB"
    case ..<1_000_000_000: "\((Double(self) / 1e6).decimals(1)) MB"
    default: "\((Double(self) / 1e9).decimals(2)) GB"
    }
  }
}
