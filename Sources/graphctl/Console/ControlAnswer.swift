import GraphKit

/// What a run says to a control command.
struct ControlAnswer {
  let tree: JSONTree
  private let fields: [String: JSONValue]

  /// Reads a line. Throws where it is no answer.
  init(_ line: [UInt8]) throws {
    guard let tree = JSONTree(answer: line), case .object(let fields) = tree.value,
      case .bool = fields["ok"]
    else {
      throw CommandFailure(
        status: .failed, message: "graphctl: error: what listens there is no run of graphctl")
    }
    (self.tree, self.fields) = (tree, fields)
  }

  var isOk: Bool { fields["ok"] == .bool(true) }

  /// Why the command wasn't carried out, and what to do.
  var problem: String {
    "\(fields["error"]?.plainText ?? "?"); \(fields["remedy"]?.plainText ?? "")"
  }

  /// The answer for a person; empty where there is nothing to say.
  func text(of command: ControlCommand) -> String {
    switch command {
    case .get: values
    case .list: parameters
    case .status: status
    default: ""
    }
  }

  private var values: String {
    guard case .object(let values) = fields["values"] else { return "" }
    return values.sorted { $0.key < $1.key }.map { "\($0)=\($1.plainText)" }.joined(separator: "\n")
  }

  private var parameters: String {
    guard case .array(let list) = fields["parameters"] else { return "" }
    return list.compactMap { item -> String? in
      guard case .object(let item) = item, let name = item["parameter"] else { return nil }
      let value = item["value"]?.plainText ?? ""
      return "\(name.plainText)=\(value)  \(Self.range(item))"
    }.joined(separator: "\n")
  }

  /// What a parameter takes: `-144 to 48 dB`, `noir, chrome`, `bool`.
  private static func range(_ item: [String: JSONValue]) -> String {
    let unit = item["unit"].map { " \($0.plainText)" } ?? ""
    if case .array(let words) = item["choices"] {
      return words.map(\.plainText).joined(separator: ", ")
    }
    guard let low = item["minimum"], let high = item["maximum"] else {
      return (item["type"]?.plainText ?? "") + unit
    }
    return "\(low.plainText) to \(high.plainText)\(unit)"
  }

  private var status: String {
    var parts = [fields["state"]?.plainText ?? "?"]
    if case .number(let position) = fields["position"] {
      var text = position.clock
      if case .number(let duration) = fields["duration"] { text += " of \(duration.clock)" }
      parts.append(text)
    }
    if case .number(let dropped) = fields["dropped"], dropped > 0 {
      parts.append("\(Int(dropped)) dropped")
    }
    return parts.joined(separator: ", ")
  }
}

extension JSONValue {
  /// The value as a command line has it: text without quotes.
  fileprivate var plainText: String {
    if case .string(let text) = self { return text }
    return (try? JSONTree(encoding: self).jsonLine) ?? ""
  }
}
