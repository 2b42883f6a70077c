import GraphKit

extension Parameter {
  /// How long a device is captured from.
  static func captureSeconds(_ path: WritableKeyPath<N, Double?> & Sendable) -> Self {
    .number(
      "seconds", path, in: 0...1_000_000, unit: "s",
      help: "How long it captures; until the run is ended where not given, or at 0.")
  }
}

extension [ElementChain] {
  /// The same elements, whose streams end after some seconds.
  func lasting(_ seconds: Double?) -> [ElementChain] {
    guard let seconds, seconds > 0 else { return self }
    return map { chain in
      var chain = chain
      chain.duration = MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)
      return chain
    }
  }
}
