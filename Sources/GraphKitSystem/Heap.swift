import CGraphKitSystem

/// The process's heap.
package enum Heap {
  /// Has up to 128 MiB of freed memory be kept for what is asked for next.
  ///
  /// By default the C library gives memory back to the kernel where as much as two frames is free,
  /// and gets it anew for the next frame: a fault for each page, and the kernel clears it. For a
  /// program to call, before it has threads; never for a library.
  package static func keepFreedFrames() {
    mallopt(M_TRIM_THRESHOLD, 128 << 20)
    // What is larger never comes from the heap. This is the most that may be said.
    mallopt(M_MMAP_THRESHOLD, 32 << 20)
  }
}
