/// A value that is changed in place without the runtime watching for overlapping accesses.
///
/// The runtime lists the accesses that are under way on a thread and walks the list at each new
/// one. In a stage every node is called inside the one before, so the list would be as long as the
/// stage, and cost more than the nodes. The holder of a cell ensures that accesses to it never
/// overlap: that one thread at a time uses it, and nothing that it calls comes back to it.
@safe package struct Cell<Value>: ~Copyable {
  @usableFromInline package let pointer: UnsafeMutablePointer<Value>

  package init(_ value: Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// The value.
  @inlinable package var value: Value {
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { unsafe pointer }
  }
}
