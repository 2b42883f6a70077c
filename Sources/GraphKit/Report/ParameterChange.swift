/// A change of a live parameter: what was asked for, and when it came.
public struct ParameterChange: Sendable, Hashable {
  /// The node.
  public var node: String
  /// Its parameter.
  public var parameter: String
  /// The new value.
  public var value: JSONValue
  /// The time from which on it was asked for; `nil` for as soon as can be.
  public var requested: MediaTime?
  /// The presentation time of the first sample with the new value; `nil` where none came so late.
  public var applied: MediaTime?
}

extension ParameterChange: Codable {
  private enum Key: String, CodingKey { case node, parameter, value, requested, applied }

  /// Writes times in seconds, to the nanosecond.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(node, forKey: .node)
    try container.encode(parameter, forKey: .parameter)
    try container.encode(value, forKey: .value)
    try container.encodeIfPresent(requested?.finiteSeconds, forKey: .requested)
    try container.encodeIfPresent(applied?.finiteSeconds, forKey: .applied)
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    node = try container.decode(String.self, forKey: .node)
    parameter = try container.decode(String.self, forKey: .parameter)
    value = try container.decode(JSONValue.self, forKey: .value)
    let time = { (key: Key) in
      try container.decodeIfPresent(Double.self, forKey: key).map {
        MediaTime(seconds: $0, preferredTimescale: 1_000_000_000)
      }
    }
    requested = try time(.requested)
    applied = try time(.applied)
  }
}

extension MediaTime {
  fileprivate var finiteSeconds: Double? { isNumeric ? seconds : nil }
}

extension [ParameterChange] {
  /// By when they were asked for; what is for as soon as can be comes first.
  var byRequest: Self {
    sorted { a, b in
      let keys = [a, b].map { ($0.requested?.nanoseconds ?? -1, $0.node, $0.parameter) }
      return keys[0] < keys[1]
    }
  }
}
