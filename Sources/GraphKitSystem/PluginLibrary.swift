import Glibc

/// A shared library that was loaded while the process runs. It stays until the process ends, since
/// its types may still be in use.
package struct PluginLibrary: Sendable {
  private let handle: UInt

  /// Loads a library. A path without a slash is one in the working directory, not one of the
  /// system's libraries.
  package init(_ path: String) throws(File.Failure) {
    let place = path.contains("/") ? path : "./\(path)"
    let loaded = unsafe FloatingPointMode.kept { unsafe dlopen(place, RTLD_NOW | RTLD_LOCAL) }
    guard let handle = unsafe loaded else {
      let text = unsafe dlerror().map { unsafe String(cString: $0) }
      throw File.Failure(code: 0, text: text ?? "the library can't be loaded")
    }
    self.handle = UInt(bitPattern: handle)
  }

  /// Whether the library has a function of a name.
  package func has(_ function: String) -> Bool { unsafe address(of: function) != nil }

  /// Calls a function without parameters and result; `false` where the library has none.
  ///
  /// The name must promise that the function is of that kind.
  package func call(_ function: String) -> Bool {
    guard let address = unsafe address(of: function) else { return false }
    unsafe unsafeBitCast(address, to: (@convention(c) () -> Void).self)()
    return true
  }

  private func address(of function: String) -> UnsafeMutableRawPointer? {
    unsafe dlsym(UnsafeMutableRawPointer(bitPattern: handle), function)
  }
}
