import CGStreamer

/// A buffer's memory, mapped for reading as long as this value lives.
@safe package struct BufferMap: ~Copyable, ~Escapable {
  private var map: GstMapInfo

  /// Maps a buffer; `nil` where its memory can't be mapped.
  @_lifetime(borrow buffer)
  package init?(_ buffer: borrowing Buffer) {
    unsafe map = GstMapInfo()
    guard unsafe gst_buffer_map(buffer.raw, &map, GST_MAP_READ) != 0 else { return nil }
  }

  deinit {
    unsafe map.close()
  }

  /// Bytes that are mapped.
  package var size: Int { unsafe Int(map.size) }

  /// The address of the memory: it distinguishes a shared sample from a copy.
  package var address: UInt { unsafe UInt(bitPattern: map.data) }

  /// The memory, for loops that see to its bounds themselves.
  @unsafe var bytes: UnsafePointer<UInt8> { unsafe UnsafePointer(map.data) }

  /// The elements of a type from a byte offset on; as many as are asked for and there are.
  @_lifetime(borrow self)
  package borrowing func span<Element: BitwiseCopyable>(
    of type: Element.Type, from offset: Int, count: Int
  ) -> Span<Element> {
    let base = unsafe UnsafeRawPointer(map.data)
    let extent = unsafe Extent(
      of: Element.self, base: unsafe base, size: size, offset: offset, count: count)
    let span = unsafe Span<Element>(_unsafeStart: extent.start, count: extent.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}

/// A buffer's memory, mapped for writing as long as this value lives. What is shared is copied
/// first.
@safe package struct MutableBufferMap: ~Copyable, ~Escapable {
  private var map: GstMapInfo

  /// Maps a buffer; `nil` where its memory can't be mapped.
  @_lifetime(&buffer)
  package init?(_ buffer: inout Buffer) {
    buffer.makeWritable()
    unsafe map = GstMapInfo()
    let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe gst_buffer_map(buffer.raw, &map, access) != 0 else { return nil }
  }

  deinit {
    unsafe map.close()
  }

  /// Bytes that are mapped.
  package var size: Int { unsafe Int(map.size) }

  fileprivate var start: UnsafeMutablePointer<UInt8> { unsafe map.data }

  /// The elements of a type from a byte offset on; as many as are asked for and there are.
  @_lifetime(&self)
  package mutating func mutableSpan<Element: BitwiseCopyable>(
    of type: Element.Type, from offset: Int, count: Int
  ) -> MutableSpan<Element> {
    let base = unsafe UnsafeRawPointer(map.data)
    let extent = unsafe Extent(
      of: Element.self, base: unsafe base, size: size, offset: offset, count: count)
    let span = unsafe MutableSpan<Element>(
      _unsafeStart: UnsafeMutablePointer(mutating: extent.start), count: extent.count)
    return unsafe _overrideLifetime(span, mutating: &self)
  }
}

extension MutableBufferMap {
  /// The memory from an offset on, for loops that see to its bounds themselves.
  @unsafe func bytes(at offset: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe start + offset
  }
}

extension GstMapInfo {
  /// Ends the mapping by its memory, which it holds, and not by the buffer: that may have been sent on
  /// before the last value that depends on it goes, at the end of a function.
  fileprivate func close() {
    guard let memory = unsafe memory else { return }
    var map = unsafe self
    unsafe gst_memory_unmap(memory, &map)
    unsafe gst_memory_unref(memory)
  }
}

/// The part of a mapped memory that a span covers: never more than there is, never misaligned.
@safe private struct Extent<Element: BitwiseCopyable> {
  let start: UnsafePointer<Element>
  let count: Int

  init(of: Element.Type, base: UnsafeRawPointer?, size: Int, offset: Int, count: Int) {
    let room = (size - offset) / MemoryLayout<Element>.stride
    // A span of no elements still needs an address that is aligned; this one is never read.
    let nowhere = unsafe UnsafePointer<Element>(bitPattern: MemoryLayout<Element>.alignment)!
    guard let base = unsafe base, offset >= 0, room > 0, count > 0,
      Int(bitPattern: unsafe base + offset) % MemoryLayout<Element>.alignment == 0
    else {
      unsafe start = nowhere
      self.count = 0
      return
    }
    unsafe start = (base + offset).assumingMemoryBound(to: Element.self)
    self.count = min(room, count)
  }
}
