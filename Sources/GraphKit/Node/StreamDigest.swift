/// A checksum of what has entered an encoder, for the file that its packets go to: some formats state
/// one of the samples that decoders give. It is known as far as samples have come.
///
/// Two are equal where they are the same one.
public final class StreamDigest: Hashable, Sendable {
  /// What the checksum is of.
  public struct Value: Hashable, Sendable {
    /// The checksum.
    public var bytes: [UInt8]
    /// How many bytes of samples it is of.
    public var byteCount: Int

    /// A checksum of so many bytes.
    public init(_ bytes: [UInt8], of byteCount: Int) {
      (self.bytes, self.byteCount) = (bytes, byteCount)
    }
  }

  private let read: @Sendable () -> Value

  /// A checksum that `read` gives, on any thread.
  public init(_ read: @escaping @Sendable () -> Value) { self.read = read }

  /// The checksum of what has entered by now.
  public var value: Value { read() }

  public static func == (one: StreamDigest, other: StreamDigest) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
