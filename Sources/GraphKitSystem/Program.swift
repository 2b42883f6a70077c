import CGraphKitSystem
import Glibc

/// A program that this process has started, without a shell. It is killed with its last use.
///
/// Any thread may use it.
package final class Program: Sendable {
  /// How a program ended.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    /// In words, after "it".
    package var text: String {
      switch self {
      case .exited(let code): "ended with exit code \(code)"
      case .killed(let signal):
        unsafe "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
      }
    }
  }

  /// Its number in the system.
  let number: pid_t
  private let ending = Monitor<Ending?>(nil)

  /// Starts a program by its path, or by a name that the search path has, with its words, of which the
  /// first is what it is called. It gets no descriptor but the standard ones, and this process's
  /// variables where no others are given.
  init(
    _ path: String, _ words: [String], standardStreams: [Int32], variables: [String]? = nil
  ) throws(File.Failure) {
    number = try Self.start(path, words, standardStreams: standardStreams, variables: variables)
  }

  deinit {
    kill()
    _ = waitForEnd()
  }

  /// Ends the program at once.
  func kill() {
    // Its number is its own until it has been waited for.
    ending.withLock { if $0 == nil { _ = Glibc.kill(number, SIGKILL) } }
  }

  /// Waits until the program has ended.
  func waitForEnd() -> Ending {
    var information = unsafe siginfo_t()
    // Left as it is at first, so that its number isn't another program's while `kill` uses it.
    while unsafe waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7f
      let new = signal == 0 ? Ending.exited(status >> 8 & 0xff) : .killed(signal: signal)
      ending = new
      return new
    }
  }

  /// Starts a program; returns its number.
  private static func start(
    _ path: String, _ words: [String], standardStreams: [Int32], variables: [String]?
  ) throws(File.Failure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe setStreams(standardStreams, in: &actions)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    setSignals(of: &attributes)
    let (words, own) = (CStrings(words), variables.map { CStrings($0) })
    var number: pid_t = 0
    let error = withExtendedLifetime((words, own)) {
      unsafe posix_spawnp(
        &number, path, &actions, &attributes, words.start, own?.start ?? graphkit_environment())
    }
    guard error == 0 else { throw .of(error) }
    return number
  }

  /// A program has some descriptors as its standard streams, and no others.
  private static func setStreams(
    _ descriptors: [Int32], in actions: inout posix_spawn_file_actions_t
  ) {
    for (number, descriptor) in descriptors.enumerated() {
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    _ = unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
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

/// Texts as C takes a list of them, which ends with none. Freed with its last use.
@safe private final class CStrings {
  private let pointers: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  init(_ texts: [String]) {
    unsafe pointers = .allocate(capacity: texts.count + 1)
    unsafe pointers.initialize(repeating: nil)
    for (index, text) in texts.enumerated() { unsafe pointers[index] = strdup(text) }
  }

  deinit {
    unsafe pointers.forEach { unsafe free($0) }
    unsafe pointers.deallocate()
  }

  var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { unsafe pointers.baseAddress! }
}
