/// A source whose streams are as their file has them: it makes nothing of what a wire asks for.
public protocol StreamSource: Node {
  /// What is presented of the stream of an output; `nil` where it isn't known.
  func edit(of port: String) -> StreamEdit?

  /// Whether the stream of an output is a single picture, which has no length. By default none is.
  func isStill(_ port: String) -> Bool

  /// What is missing of the file, in words; `nil` where it is whole. By default it is.
  var shortfall: String? { get }
}

extension StreamSource {
  public func isStill(_ port: String) -> Bool { false }

  /// Nothing is missing.
  public var shortfall: String? { nil }
}
