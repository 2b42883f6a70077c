import CGraphKitSystem
import Glibc

/// What the machine itself says, without GStreamer: environment, folders, devices, sockets.
package enum Machine {
  /// An environment variable; `nil` where it isn't set or empty.
  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// All environment variables, as `NAME=value`.
  static var variables: [String] {
    let variables = unsafe graphkit_environment()
    var texts: [String] = []
    while let text = unsafe variables[texts.count] { unsafe texts.append(String(cString: text)) }
    return texts
  }

  /// The first word of the command line that isn't UTF-8, as far as it can be shown. Swift has put
  /// other characters into it, so that no file has its name.
  package static var unreadableArgument: String? {
    for index in 0..<Int(CommandLine.argc) {
      guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
      if unsafe String(validatingCString: word) == nil { return unsafe String(cString: word) }
    }
    return nil
  }

  /// The number of processors that this process may run on.
  package static var coreCount: Int {
    // Swift doesn't see sched_getaffinity, but what it says stands here: `Cpus_allowed: 3`.
    for line in text(of: "/proc/self/status").utf8.split(separator: UInt8(ascii: "\n"))
    where line.starts(with: "Cpus_allowed:".utf8) {
      let digits = Substring(line).drop { $0 != ":" }.compactMap(\.hexDigitValue)
      let count = digits.reduce(0) { $0 + $1.nonzeroBitCount }
      if count > 0 { return count }
    }
    return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// The time of day, in seconds since 1970.
  package static var secondsSince1970: Int { time(nil) }

  /// The user's number.
  package static var userIdentifier: Int { Int(getuid()) }

  /// The names in a folder, sorted; none where there is no such folder.
  package static func names(in folder: String) -> [String] { readableNames(in: folder) ?? [] }

  /// The names in a folder, sorted; `nil` where it can't be read.
  package static func readableNames(in folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The text of a small file; empty where it can't be read.
  package static func text(of path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    // Files under /proc and /sys have no size, so it can't be asked.
    return unsafe String(unsafeUninitializedCapacity: 65_536) { buffer in
      max(0, unsafe read(descriptor, buffer.baseAddress, buffer.count))
    }
  }

  /// Whether a program listens at a local socket. A name that begins with a NUL is abstract.
  package static func isListening(at path: String) -> Bool { LocalSocket(path) != nil }

  /// The name of a video device that can capture; `nil` for any other.
  ///
  /// `VIDIOC_QUERYCAP` of `linux/videodev2.h`: 16 bytes of driver, 32 of card, 32 of bus, then the
  /// version, the capabilities of the whole device and those of this node.
  package static func captureDeviceName(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var answer = [UInt32](repeating: 0, count: 26)
    let queryCapabilities: UInt = 0x8068_5600
    let result = unsafe answer.withUnsafeMutableBytes { bytes in
      unsafe ioctl(descriptor, queryCapabilities, bytes.baseAddress!)
    }
    guard result == 0 else { return nil }
    let (videoCapture, hasNodeCapabilities): (UInt32, UInt32) = (0x1, 0x8000_0000)
    let capabilities = answer[21] & hasNodeCapabilities != 0 ? answer[22] : answer[21]
    guard capabilities & videoCapture != 0 else { return nil }
    return unsafe answer.withUnsafeBytes { bytes in
      unsafe String(decoding: bytes[16..<48].prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
