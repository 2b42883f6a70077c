import GraphKitSystem

/// Commands that bring an item's file to the machine that works on it, and its outputs to where they
/// belong: with them a batch's inputs and outputs may be in a store that isn't a file system.
package struct Staging: Hashable, Sendable {
  /// What brings a file here; without it inputs are files of this machine.
  package private(set) var get: StagingCommand?
  /// What brings an output away; without it outputs are.
  package private(set) var put: StagingCommand?

  package init() {}

  /// Reads what was given, such as `get=s5cmd cp {remote} {local}`.
  package init(_ texts: [String]) throws(BatchError) {
    for text in texts {
      let (name, line) = text.splitAtEquals
      let command = try StagingCommand(line ?? "", given: text)
      switch name {
      case "get" where get == nil: get = command
      case "put" where put == nil: put = command
      default:
        throw BatchError(
          .usage, "--stage", "`\(text)` is neither one `get=` nor one `put=`",
          remedy: "give each once, as in --stage 'get=s5cmd cp {remote} {local}'")
      }
    }
  }

  /// The commands as they were given.
  package var texts: [String] {
    [("get", get), ("put", put)].compactMap { name, command in command.map { "\(name)=\($0.text)" }
    }
  }

  /// Where a worker's files are while it works on them.
  static var folder: String { Machine.variable("TMPDIR") ?? "/tmp" }
}

extension String {
  /// `name=rest`
  fileprivate var splitAtEquals: (name: String, rest: String?) {
    guard let index = firstIndex(of: "=") else { return (self, nil) }
    return (String(self[..<index]), String(self[self.index(after: index)...]))
  }
}
