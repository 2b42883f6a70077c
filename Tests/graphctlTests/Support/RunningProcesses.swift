import Foundation

/// What the system says of processes that tests have others start.
enum RunningProcesses {
  /// Those that a process has started and that haven't ended.
  static func children(of parent: pid_t) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter {
      status($0, "PPid") == "\(parent)" && isAlive($0)
    }
  }

  /// Whether a process hasn't ended: one that nobody has waited for since has.
  static func isAlive(_ process: pid_t) -> Bool {
    status(process, "State").map { !$0.hasPrefix("Z") } ?? false
  }

  private static func status(_ process: pid_t, _ key: String) -> String? {
    let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    return text?.split(separator: "\n").first { $0.hasPrefix("\(key):") }?
      .dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces)
  }
}
