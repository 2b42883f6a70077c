import CGraphKitSystem
import Glibc

/// What the kernel refuses this process, from some moment on and for good.
package struct Confinement: Hashable, Sendable {
  /// The version of Landlock that refuses it files; 0 where the kernel has none.
  package var landlock: Int
  /// Whether calls of the system are filtered (seccomp): then it can't reach a network, start a program,
  /// write to a file or meddle with other processes.
  package var filtersCalls: Bool

  package init(landlock: Int, filtersCalls: Bool) {
    (self.landlock, self.filtersCalls) = (landlock, filtersCalls)
  }

  /// What isn't refused, though it should be; `nil` where nothing is missing.
  package var shortfall: String? {
    switch (landlock > 0, filtersCalls) {
    case (true, true): nil
    case (false, true): "this kernel has no Landlock: it may read other files, though not write any"
    case (true, false):
      "this kernel filters no calls (seccomp): it may reach the network and start programs"
    case (false, false):
      "this kernel has neither Landlock nor seccomp: it may do what this user may"
    }
  }

  /// Confines this process, which must have one thread: it may read one open file anew and what is in
  /// the folders of libraries, and have so many bytes of memory. It ends with the thread that has
  /// started it.
  package static func apply(
    reading file: MessageSocket.Attachment, folders: [String], memory: Int
  ) throws(File.Failure) -> Confinement {
    guard threadCount == 1 else {
      throw .saying("\(threadCount) threads run, of which only one would be confined")
    }
    _ = graphkit_end_with_parent(SIGKILL)
    for fault in faults { _ = graphkit_watch_fault(fault) }
    limit(__rlimit_resource_t(RLIMIT_DATA.rawValue), to: memory)
    limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), to: 0)
    limit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), to: 0)
    limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), to: 256)
    guard graphkit_set_no_new_privileges() == 0 else { throw .last }
    let version = try restrictFiles(to: file.number, folders)
    return Confinement(landlock: version, filtersCalls: CallFilter.install())
  }

  /// The code with which the process ends where it has used up its memory (`EX_OSERR`).
  package static let noMemoryCode: Int32 = GRAPHKIT_NO_MEMORY_CODE

  /// Ends the process with ``noMemoryCode`` where it can't have as much more memory as two threads or a
  /// library need, whatever has become of that.
  package static func endIfMemoryIsUsedUp() {
    if graphkit_lacks_memory(16) != 0 { _exit(noMemoryCode) }
  }

  /// Signals that faults send: what uses up the memory ends by one of them, and is told apart.
  static let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  private static var threadCount: Int { Machine.names(in: "/proc/self/task").count }

  private static func limit(_ resource: __rlimit_resource_t, to most: Int) {
    var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
    unsafe setrlimit(resource, &limit)
  }

  /// Of `landlock(7)`.
  private enum Access {
    static let readFile: UInt64 = 1 << 2
    static let readFolder: UInt64 = 1 << 3
    /// All that each version knows of.
    static func files(_ version: Int) -> UInt64 {
      switch version {
      case 1: (1 << 13) - 1
      case 2: (1 << 14) - 1
      case 3, 4: (1 << 15) - 1
      default: (1 << 16) - 1
      }
    }
  }

  /// `O_PATH`, which is declared only under _GNU_SOURCE.
  private static let placeOnly: Int32 = 0o10_000_000

  private static func restrictFiles(
    to file: Int32, _ folders: [String]
  ) throws(File.Failure) -> Int {
    let version = Int(graphkit_landlock_version())
    guard version > 0 else { return 0 }
    let size = version < 4 ? 8 : version < 6 ? 16 : 24
    // TCP's `bind` and `connect`; abstract sockets and signals to processes outside.
    let rules = graphkit_landlock_rules(Access.files(version), 3, 3, size)
    guard rules >= 0 else { throw .last }
    defer { close(rules) }
    guard graphkit_landlock_allow(rules, file, Access.readFile) == 0 else { throw .last }
    for folder in folders {
      // It stays open: the folders of `/proc` come and go, and the rule with them.
      let descriptor = unsafe open(folder, Self.placeOnly | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      let access = File.isFolder(folder) ? Access.readFile | Access.readFolder : Access.readFile
      guard graphkit_landlock_allow(rules, descriptor, access) == 0 else { throw .last }
    }
    guard graphkit_landlock_restrict(rules) == 0 else { throw .last }
    return version
  }
}
