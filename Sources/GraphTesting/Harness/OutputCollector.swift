import GraphKit

/// The far end of an output in a harness: keeps what comes, as long as there is demand.
final class OutputCollector: SampleTarget {
  let name: String
  var demand: Int?
  private(set) var samples: [CollectedSample] = []
  private(set) var formats: [MediaFormat] = []
  private(set) var hasEnded = false
  /// Whether a sample was refused in the present call of the node.
  var hasRefused = false

  init(name: String) { self.name = name }

  func announce(_ format: FormatDescription) throws {
    if formats.last != format.format { formats.append(format.format) }
  }

  func receive(_ sample: consuming SampleBuffer) throws {
    guard demand != 0 else {
      hasRefused = true
      throw HarnessError.noDemand(output: name)
    }
    demand = demand.map { $0 - 1 }
    try announce(sample.format)
    samples.append(CollectedSample(sample))
  }

  func finish() throws { hasEnded = true }

  /// Gives up what was collected.
  func take() -> [CollectedSample] {
    defer { samples = [] }
    return samples
  }
}
