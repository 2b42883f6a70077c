import GraphKit
import Nodes

/// Reads the sound of a file as the points of a waveform, while it goes.
struct WaveformLoader {
  /// The file.
  var path: String
  /// How many points the whole sound gets.
  var pointCount: Int

  /// The waveform so far, each time that there is more of it; the last one is whole. Ends with the
  /// error of a file that can't be read.
  func waveforms() -> AsyncThrowingStream<Peaks, any Error> {
    AsyncThrowingStream { continuation in
      let loading = Task {
        do {
          try await load { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in loading.cancel() }
    }
  }

  private func load(_ show: (Peaks) -> Void) async throws {
    let machine = LiveEnvironment()
    let pipeline = try Pipeline(Plan(graph(in: machine)), environment: machine)
    let output = try pipeline.output("points")
    async let report = pipeline.run()
    var collector = PeaksCollector()
    while let sample = await output.next() {
      try collector.begin(sample.format)
      try collector.add(sample)
      if let peaks = collector.peaks { show(peaks) }
    }
    _ = try await report
  }

  private func graph(in machine: LiveEnvironment) throws -> Graph {
    var builder = GraphBuilder(catalog: .builtIn)
    let seconds = try machine.discover(path).compactMap(\.duration?.seconds).max() ?? 0
    let file = builder.add("file", FileSource()) { $0.path = path }
    let waveform = builder.add("waveform", Waveform()) {
      $0.pixelsPerSecond = Double(pointCount) / max(seconds, 0.001)
      $0.updateInterval = seconds / 20
    }
    let points = builder.add("points", AppOutput())
    builder.connect(file.audio, to: waveform.input)
    builder.connect(waveform.output, to: points.input)
    return try builder.build(in: machine)
  }
}
