import Glibc

/// A function from colour to colour, remembered: each colour is worked out when it is met first.
///
/// There is an entry for every colour of three times 8 bits, 64 MiB of address space in all, of
/// which only those pages take memory that hold colours of the frames. So the result is that of the
/// function itself, whatever the function is. Neighbouring values of Y are neighbours here.
/// Not for several threads at once: it belongs to a node, which runs on one at a time.
@safe package final class ColorTable: @unchecked Sendable {
  /// What a colour becomes, in the values of a frame's pixels.
  package typealias Function = @Sendable (SIMD3<UInt8>) -> SIMD3<UInt8>

  private let entries: UnsafeMutablePointer<UInt32>
  private var function: Function
  /// What the top byte of an entry is that holds true.
  private var generation: UInt32 = 1
  private static let byteCount = (1 << 24) * MemoryLayout<UInt32>.stride

  /// An empty table; `nil` where there is no memory for it.
  package init?(_ function: @escaping Function) {
    let memory = unsafe mmap(
      nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
      0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
    unsafe entries = memory.bindMemory(to: UInt32.self, capacity: 1 << 24)
    self.function = function
  }

  deinit { unsafe munmap(entries, Self.byteCount) }

  /// Forgets everything, for another function.
  package func replace(_ function: @escaping Function) {
    self.function = function
    generation += 1
    guard generation > 0xff else { return }
    generation = 1
    unsafe madvise(entries, Self.byteCount, MADV_DONTNEED)
  }

  /// The entry of a colour: its three values in the lower bytes.
  @inline(__always)
  private func entry(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
    let place = Int(second) << 16 | Int(third) << 8 | Int(first)
    let entry = unsafe entries[place]
    return entry >> 24 == generation ? entry : learn(place, SIMD3(first, second, third))
  }

  @inline(never)
  private func learn(_ place: Int, _ color: SIMD3<UInt8>) -> UInt32 {
    let new = function(color)
    let entry =
      UInt32(new.x) | UInt32(new.y) << 8 | UInt32(new.z) << 16 | generation << 24
    unsafe entries[place] = entry
    return entry
  }
}

extension ColorTable: PixelTransform {
  func block(_ luma: SIMD4<UInt8>, _ u: UInt8, _ v: UInt8) -> (SIMD4<UInt8>, UInt8, UInt8) {
    let (a, b) = (entry(luma.x, u, v), entry(luma.y, u, v))
    let (c, d) = (entry(luma.z, u, v), entry(luma.w, u, v))
    // Two sums at once: none of them reaches 16 bits.
    let mask: UInt32 = 0xff00ff
    let low = (a & mask) + (b & mask) + (c & mask) + (d & mask)
    let high = (a >> 8 & 0xff) + (b >> 8 & 0xff) + (c >> 8 & 0xff) + (d >> 8 & 0xff)
    let lumas = SIMD4(
      UInt8(truncatingIfNeeded: a), UInt8(truncatingIfNeeded: b), UInt8(truncatingIfNeeded: c),
      UInt8(truncatingIfNeeded: d))
    return (
      lumas, UInt8(truncatingIfNeeded: (high + 2) >> 2),
      UInt8(truncatingIfNeeded: ((low >> 16) + 2) >> 2)
    )
  }

  func pixel(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> (UInt8, UInt8, UInt8) {
    let entry = entry(first, second, third)
    return (
      UInt8(truncatingIfNeeded: entry), UInt8(truncatingIfNeeded: entry >> 8),
      UInt8(truncatingIfNeeded: entry >> 16)
    )
  }
}
