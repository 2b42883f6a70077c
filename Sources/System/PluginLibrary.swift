import Glibc

/// A shared library that was loaded while the process runs. It stays until the process ends, since
/// its types may still be in use.
package struct PluginLibrary: Sendable {
  /// Why a library can't be loaded: the system's words.
  package struct Failure: Error, Sendable { package var text: String }

  private let handle: UInt

  /// Loads a library. A path without a slash is one in the working directory, not one of the
  /// system's libraries.
  package init(_ path: String) throws(Failure) {
    let place = path.contains("/") ? path : "./\(path)"
    guard let handle = unsafe dlopen(place, RTLD_NOW | RTLD_LOCAL) else { throw .last }
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

extension PluginLibrary.Failure {
  fileprivate static var last: Self {
    Self(text: unsafe dlerror().map { unsafe String(cString: $0) } ?? "the library can't be loaded")
  }
}
