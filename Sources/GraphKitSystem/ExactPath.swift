/// A path that equals another byte for byte: files have names of their own that Swift counts as one text,
/// such as `é` in one character and in two.
package struct ExactPath: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(_ path: String) { bytes = Array(path.utf8) }
}
