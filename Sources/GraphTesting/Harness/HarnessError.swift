import GraphKit

/// Why a harness can't go on, or what a check found. What the node itself throws comes through as
/// it is.
public enum HarnessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The node has no such input or output.
  case noSuchPort(String, ports: [String])
  /// The node has several, so that one must be named.
  case needsPort([String])
  /// The inputs that were named can't be wired so: one is named twice, or the node doesn't have it.
  case wrongInputs([String], ports: [String])
  /// The input has ended.
  case inputFinished(String)
  /// The input's port doesn't take samples of such a format. A run of the engine ends with an error there.
  case refusedFormat(MediaFormat, port: String, takes: FormatConstraint)
  /// PCM values are of another type than the format's samples, or make no whole frames.
  case wrongValues(String, format: AudioFormat)
  /// The node sent a sample without demand, and got an error for it, as it does at the end of a
  /// run.
  case noDemand(output: String)
  /// An output refused more samples, and the node went on as if it hadn't.
  case refusalIgnored(output: String)
  /// A node gave something else when the same samples came in other blocks: the first value that
  /// differs, by its place among all that came out. `whole` came out where the samples came in one
  /// block, and `found` where they were cut; each is `nil` where that ended before.
  case cutDiffers(BlockCut, index: Int, whole: String?, found: String?)
  /// A report doesn't say what it should; in words, with the numbers.
  case report(String)

  public var description: String {
    switch self {
    case .noSuchPort(let port, let ports):
      "the node has no port `\(port)`; it has \(ports.joined(separator: ", "))"
    case .needsPort(let ports):
      "the node has several ports; name one of \(ports.joined(separator: ", "))"
    case .wrongInputs(let inputs, let ports):
      "\(inputs.joined(separator: ", ")) can't be the node's inputs; name each once, of "
        + "\(ports.joined(separator: ", ")), and more of a repeatable one as `in.2`"
    case .inputFinished(let port):
      "nothing can follow on `\(port)`; push before finish()"
    case .refusedFormat(let format, let port, let taken):
      "`\(port)` takes \(taken), and not \(format); push what it takes, or declare the other in "
        + "the node's ports"
    case .wrongValues(let values, let format):
      "\(values) make no frames of \(format); push values of the format's type, for whole frames"
    case .noDemand(let output):
      "the node sent a sample on `\(output)` without demand; raise `demand`, or expect this error"
    case .refusalIgnored(let output):
      "the node went on though `\(output)` took no more; let what send(_:on:) throws through"
    case .cutDiffers(let cut, let index, let whole, let found):
      "value \(index) is \(whole ?? "missing") from one block and \(found ?? "missing") from "
        + "\(cut.rawValue) blocks; keep in the node what must last from block to block"
    case .report(let text): text
    }
  }
}
