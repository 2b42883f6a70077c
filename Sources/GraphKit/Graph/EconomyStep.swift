/// A step by which a live graph that can't keep up gives up quality: an entry of `whenSlow`.
///
/// ```swift
/// graph.whenSlow([.previews, .set(blur, ["passes": 1]), .keepEvery(2, of: camera)])
/// ```
public enum EconomyStep: Hashable, Sendable {
  /// Every preview keeps the frame that it has.
  case previews
  /// Every node takes the values of its live parameters that cost least, one node after the other.
  case effects
  /// Of live video one frame in two goes on.
  case frameRate
  /// A preview keeps the frame that it has.
  case pause(node: String)
  /// Live parameters of a node have other values.
  case set(node: String, [String: JSONValue])
  /// Of the video of a live source one frame in so many goes on.
  case keepEvery(Int, node: String)

  /// What a graph with live sources does where it doesn't say.
  public static let standard: [EconomyStep] = [.previews, .effects, .frameRate]

  /// Of how many frames one may go on.
  static let shares = 2...8

  /// `2 to 8`.
  static var sharesInWords: String { "\(shares.lowerBound) to \(shares.upperBound)" }
}

extension EconomyStep {
  /// A preview keeps the frame that it has.
  public static func pause<N: Node>(_ node: NodeHandle<N>) -> Self { .pause(node: node.name) }

  /// Live parameters of a node have other values.
  public static func set<N: Node>(_ node: NodeHandle<N>, _ values: [String: JSONValue]) -> Self {
    .set(node: node.name, values)
  }

  /// Of the video of a live source one frame in so many goes on, from 2 to 8.
  public static func keepEvery<N: Node>(_ share: Int, of node: NodeHandle<N>) -> Self {
    .keepEvery(share, node: node.name)
  }
}

extension EconomyStep {
  /// The keys of a step that names a node.
  enum Key {
    static let node = "node", pause = "pause", set = "set", keepEvery = "keepEvery"
    static let all = [node, pause, set, keepEvery]
  }

  /// The words of the steps that name no node.
  static let words: [(word: String, step: EconomyStep)] = [
    ("previews", .previews), ("effects", .effects), ("frameRate", .frameRate),
  ]

  /// The node that the step names.
  var node: String? {
    switch self {
    case .previews, .effects, .frameRate: nil
    case .pause(let node), .set(let node, _), .keepEvery(_, let node): node
    }
  }

  /// The step as graph files write it.
  var json: JSONValue {
    switch self {
    case .previews, .effects, .frameRate:
      .string(Self.words.first { $0.step == self }?.word ?? "")
    case .pause(let node): .object([Key.node: .string(node), Key.pause: true])
    case .set(let node, let values):
      .object([Key.node: .string(node), Key.set: .object(values)])
    case .keepEvery(let share, let node):
      .object([Key.node: .string(node), Key.keepEvery: .number(Double(share))])
    }
  }

  /// What is done, after "it": `pauses previews`.
  var phrase: String {
    switch self {
    case .previews: "pauses previews"
    case .effects: "has effects cost less, where they can"
    case .frameRate: "halves the frame rate"
    case .pause(let node): "pauses `\(node)`"
    case .set(let node, let values):
      "sets "
        + values.sorted { $0.key < $1.key }
        .map { "`\($0.key)` of `\(node)` to \($0.value.plain)" }.joined(separator: " and ")
    case .keepEvery(let share, let node): "keeps one frame in \(share) of `\(node)`"
    }
  }
}
