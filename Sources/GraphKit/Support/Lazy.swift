import GraphKitSystem

/// A value that is made when it is first asked for, and kept.
final class Lazy<Value: Sendable>: Sendable {
  private let make: @Sendable () -> Value
  // The thread sanitizer knows the locks of pthread, and not `Mutex`, which is a futex.
  private let made = Monitor<Value?>(nil)

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  /// The value.
  var value: Value {
    made.withLock { made in
      if let made { return made }
      let value = make()
      made = value
      return value
    }
  }
}
