import Glibc

/// A socket of this machine that programs of its owner, and no others, can connect to. Its file is
/// there as long as it is.
package final class LocalListener: Sendable {
  /// Why a socket can't be listened at.
  package enum Failure: Error, Sendable {
    /// The path is empty, or longer than a socket's may be.
    case badLength(most: Int)
    /// A program listens there.
    case inUse
    /// Something that is no socket has the name.
    case notASocket
    /// In the system's words.
    case system(String)
  }

  let descriptor: Int32
  private let path: String
  private let number: (device: UInt64, file: UInt64)?

  /// Listens at a path. A socket that a process left there when it died is replaced; one that a
  /// process listens at isn't.
  package init(_ path: String) throws(Failure) {
    guard let address = LocalAddress(path) else { throw .badLength(most: LocalAddress.mostBytes) }
    do throws(File.Failure) { descriptor = try LocalAddress.socket() } catch {
      throw .system(error.text)
    }
    self.path = path
    // The file gets the mode that the socket has, so that at no time others could connect. A umask
    // would hold for the whole process, whose other threads make files meanwhile.
    fchmod(descriptor, 0o600)
    do throws(Failure) {
      try Self.bind(descriptor, to: address, at: path)
      guard listen(descriptor, 64) == 0 else { throw .system(File.Failure.last.text) }
    } catch {
      close(descriptor)
      throw error
    }
    number = File.number(of: path)
  }

  deinit {
    // Still listening, so that no process takes the file for an abandoned one.
    if let number, let now = File.number(of: path), now == number { File.remove(path) }
    close(descriptor)
  }

  private static func bind(_ socket: Int32, to address: LocalAddress, at path: String)
    throws(Failure)
  {
    // Of two processes that find a dead socket one would remove the other's new one.
    let folder = lockFolder(of: path)
    defer { if folder >= 0 { close(folder) } }
    if address.bind(socket) { return }
    guard errno == EADDRINUSE else { throw .system(File.Failure.last.text) }
    try checkIsDead(path)
    File.remove(path)
    guard address.bind(socket) else { throw .system(File.Failure.last.text) }
  }

  private static func checkIsDead(_ path: String) throws(Failure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket }
    do throws(File.Failure) {
      _ = try LocalSocket(connectingTo: path)
    } catch {
      if error.code == ECONNREFUSED { return }
      throw .system(error.text)
    }
    throw .inUse
  }

  /// Locks a folder while a socket is made in it: its open descriptor, or -1. Where another process
  /// never releases the lock, goes on without it.
  private static func lockFolder(of path: String) -> Int32 {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
      usleep(1000)
    }
    return descriptor
  }
}
