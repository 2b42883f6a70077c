import Glibc

extension Machine {
  /// The machine's name in its network.
  package static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The number of this process.
  package static var processNumber: Int { Int(getpid()) }

  /// Whether a process of some number runs on this machine.
  package static func isRunning(process number: Int) -> Bool {
    guard let number = Int32(exactly: number) else { return false }
    return kill(number, 0) == 0 || errno == EPERM
  }

  /// What names the process that a temporary file or folder belongs to, at the end of its name.
  package static var processMark: String { "\(hostName).\(processNumber)" }

  /// Whether a name ends in the mark of a process of this machine that is gone.
  package static func isLeftBehind(_ name: String) -> Bool {
    guard let number = name.split(separator: ".").last.flatMap({ Int($0) }) else { return false }
    return name.hasSuffix(".\(hostName).\(number)") && !isRunning(process: number)
  }

  /// The folder that relative paths begin at; `nil` where it is gone.
  package static var workingFolder: String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(validatingCString: path)
  }

  /// Has relative paths begin at a folder, in the whole process.
  package static func changeFolder(to path: String) throws(File.Failure) {
    guard unsafe chdir(path) == 0 else { throw .last }
  }

  /// This program's file.
  package static let ownProgram = "/proc/self/exe"

  /// The path at which this program's file was started; `nil` where the system doesn't say.
  package static var ownPath: String? { File.resolvedPath(ownProgram) }

  /// The path of a program that the search path has; `nil` where it has none of this name.
  package static func program(named name: String) -> String? {
    let folders = (variable("PATH") ?? "").split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// Whether there is a program at a path, which may be started.
  package static func isProgram(_ path: String) -> Bool {
    unsafe access(path, X_OK) == 0 && !File.isFolder(path)
  }
}
