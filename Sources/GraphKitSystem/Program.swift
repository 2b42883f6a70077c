import CGraphKitSystem
import Glibc

/// How this process starts others, without a shell.
enum Program {
  /// Starts a program by its path, or by a name that the search path has, with its words, of which the
  /// first is what it is called. It gets no descriptor but the standard ones, and this process's
  /// variables where no others are given; returns its number.
  static func start(
    _ path: String, _ words: [String], standardStreams: [Int32], variables: [String]? = nil
  ) throws(File.Failure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in standardStreams.enumerated() {
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    _ = unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    setSignals(of: &attributes)
    var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    var others = unsafe variables.map { variables in
      unsafe variables.map { unsafe strdup($0) } + [nil]
    }
    defer { unsafe others?.forEach { unsafe free($0) } }
    var number: pid_t = 0
    let error =
      if unsafe others != nil {
        unsafe posix_spawnp(&number, path, &actions, &attributes, &pointers, &others!)
      } else {
        unsafe posix_spawnp(
          &number, path, &actions, &attributes, &pointers, graphkit_environment())
      }
    guard error == 0 else { throw .of(error) }
    return number
  }

  /// A program has the signals that it expects, whatever this process does with its own, and a group
  /// of its own: an interrupt by keyboard, at which this process ends in order, isn't for it.
  private static func setSignals(of attributes: inout posix_spawnattr_t) {
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  }
}
