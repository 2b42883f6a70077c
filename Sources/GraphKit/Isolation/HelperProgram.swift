import GraphKitSystem

/// The program that reads files in a process of its own: `graphctl`.
package enum HelperProgram {
  /// The word that has it do so.
  package static let word = "isolated-file"

  /// Where it is: what `GRAPHKIT_HELPER` says, or else beside this program, or else where the search
  /// path has it.
  static func path() throws(NodeError) -> String {
    if let named = Machine.variable("GRAPHKIT_HELPER"), !named.isEmpty {
      if Machine.isProgram(named) { return named }
      throw NodeError(
        "`isolate` needs GraphKit's program `graphctl`, and GRAPHKIT_HELPER names `\(named)`, which "
          + "is no program", remedy: "set it to the path of `graphctl`", key: "isolate")
    }
    let folder = Machine.ownPath.flatMap { own in
      own.lastIndex(of: "/").map { String(own[..<$0]) }
    }
    if let beside = folder.map({ "\($0)/graphctl" }), Machine.isProgram(beside) { return beside }
    if let found = Machine.program(named: "graphctl") { return found }
    throw NodeError(
      "`isolate` needs GraphKit's program `graphctl`, which is neither beside this program nor in "
        + "PATH", remedy: "install it there, or set GRAPHKIT_HELPER to its path", key: "isolate")
  }

  /// That a program isn't the one that is needed, by what it did in place of what that does.
  static func error(_ path: String, _ conduct: String) -> NodeError {
    NodeError(
      "`\(path)` was to read the file for `isolate`, and isn't GraphKit's program `graphctl` of this "
        + "version: it \(conduct)",
      remedy: (Machine.variable("GRAPHKIT_HELPER") ?? "").isEmpty
        ? "install that of this version, or set GRAPHKIT_HELPER to its path"
        : "set GRAPHKIT_HELPER to the path of that, or to nothing to have it looked for",
      key: "isolate")
  }
}
