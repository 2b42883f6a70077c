import GraphKit

/// The pass that an encoder makes, of two, and where the first leaves what the second reads.
struct PassStatistics: Sendable {
  var pass: EncodingPass
  /// What the names of the files begin with.
  var path: String

  /// The help of the parameter.
  static let help =
    "Whether all frames are looked at first, to spend `bitRate` well; not of live video."

  /// The number that x264 and x265 call the pass by.
  var number: Int { pass == .first ? 1 : 2 }

  /// What an element of libvpx is to be set to, whose mode for live video knows one pass alone.
  var vpxProperties: [String: String] {
    [
      "multipass-mode": pass == .first ? "first-pass" : "last-pass",
      "multipass-cache-file": path,
    ]
  }
}

/// An encoder that works in two passes where its parameters ask for that.
protocol TwoPassEncoder: Node {
  /// Whether they do.
  var twoPass: Bool { get }
  /// The pass that it makes, of two.
  var statistics: PassStatistics? { get set }
}

extension TwoPassEncoder {
  public func making(_ pass: EncodingPass, statistics path: String) -> (any Node)? {
    guard twoPass else { return nil }
    var encoder = self
    encoder.statistics = PassStatistics(pass: pass, path: path)
    return encoder
  }
}

extension NodeError {
  /// What is wrong with how an encoder is to spend bits: a constant quality is found without looking
  /// ahead, and two passes have a size to meet.
  static func ofRate(bitRate: Int?, hasQuality: Bool, twoPass: Bool) -> NodeError? {
    if bitRate != nil, hasQuality { return .bitRateAndQuality }
    guard twoPass, bitRate == nil else { return nil }
    return NodeError(
      "two passes have no `bitRate` to meet",
      remedy: hasQuality
        ? "leave out `twoPass`: a constant quality takes one pass" : "give a `bitRate`",
      key: "twoPass")
  }
}
