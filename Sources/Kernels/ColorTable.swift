import Glibc

/// A function from colour to colour, remembered: each colour is worked out when it is met first.
///
/// There is an entry for every colour of three times 8 bits, 64 MiB of address space in all, of
/// which only those pages take memory that hold colours of the frames. So the result is that of the
/// function itself, whatever the function is. Neighbouring values of Y are neighbours here.
/// Not for several threads at once: it belongs to a node, which runs on one at a time.
@safe package final class ColorTable: Sendable {
  /// What a colour becomes, in the values of a frame's pixels.
  package typealias Function = @Sendable (SIMD3<UInt8>) -> SIMD3<UInt8>

  nonisolated(unsafe) private let entries: UnsafeMutablePointer<UInt32>
  nonisolated(unsafe) private var function: Function
  /// What the top byte of an entry is that holds true.
  nonisolated(unsafe) private var generation: UInt32 = 1
  private static let byteCount = (1 << 24) * MemoryLayout<UInt32>.stride

  /// An empty table; `nil` where there is no memory for it.
  package init?(_ function: @escaping Function) {
    let memory = unsafe mmap(
      nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
      0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
    unsafe entries = memory.bindMemory(to: UInt32.self, capacity: 1 << 24)
    unsafe self.function = function
  }

  deinit { unsafe munmap(entries, Self.byteCount) }

  /// Forgets everything, for another function.
  package func replace(_ function: @escaping Function) {
    unsafe self.function = function
    unsafe generation += 1
    guard unsafe generation > 0xff else { return }
    unsafe generation = 1
    unsafe madvise(entries, Self.byteCount, MADV_DONTNEED)
  }

  /// The entry of a colour: its three values in the lower bytes.
  @inline(__always)
  private func entry(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
    let index = Int(second) << 16 | Int(third) << 8 | Int(first)
    let entry = unsafe entries[index]
    return unsafe entry >> 24 == generation ? entry : learn(index, SIMD3(first, second, third))
  }

  @inline(never)
  private func learn(_ index: Int, _ color: SIMD3<UInt8>) -> UInt32 {
    let new = unsafe function(color)
    let color = UInt32(new.x) | UInt32(new.y) << 8 | UInt32(new.z) << 16
    let entry = unsafe color | generation << 24
    unsafe entries[index] = entry
    return entry
  }
}

extension ColorTable: PixelTransform {
  @inline(__always)
  func block(_ luma: SIMD4<UInt8>, _ u: UInt8, _ v: UInt8) -> (SIMD4<UInt8>, UInt8, UInt8) {
    let (a, b) = (entry(luma.x, u, v), entry(luma.y, u, v))
    let (c, d) = (entry(luma.z, u, v), entry(luma.w, u, v))
    let (newU, newV) = Self.mean(a, b, c, d)
    let lumas = SIMD4(
      UInt8(truncatingIfNeeded: a), UInt8(truncatingIfNeeded: b), UInt8(truncatingIfNeeded: c),
      UInt8(truncatingIfNeeded: d))
    return (lumas, newU, newV)
  }

  /// The mean of the second and of the third values of four entries.
  @inline(__always)
  private static func mean(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt8, UInt8) {
    let (second, third): (UInt32, UInt32) = (0xff00, 0xff_0000)
    let u = (a & second) &+ (b & second) &+ (c & second) &+ (d & second) &+ 2 << 8
    let v = (a & third) &+ (b & third) &+ (c & third) &+ (d & third) &+ 2 << 16
    return (UInt8(truncatingIfNeeded: u >> 10), UInt8(truncatingIfNeeded: v >> 18))
  }

  @inline(__always)
  func pixel(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> (UInt8, UInt8, UInt8) {
    let entry = entry(first, second, third)
    return (
      UInt8(truncatingIfNeeded: entry), UInt8(truncatingIfNeeded: entry >> 8),
      UInt8(truncatingIfNeeded: entry >> 16)
    )
  }

  /// All blocks of four pixels: those whose colours are known at once, the others as at the edge.
  func startOfRows(_ rows: ColorRows) -> Int {
    let (columns, step) = (rows.width / 2, rows.step)
    let (from, to) = unsafe (rows.from, rows.to)
    let (top, bottom) = unsafe (from.top!, from.bottom!)
    let (u, v) = unsafe (from.u!, from.v!)
    let entries = unsafe entries
    let current = unsafe generation << 24
    var column = 0
    while column < columns {
      let index = unsafe Int(u[column &* step]) << 16 | Int(v[column &* step]) << 8
      let row = unsafe entries + index
      let left = 2 &* column
      let (a, b) = unsafe (row[Int(top[left])], row[Int(top[left &+ 1])])
      let (c, d) = unsafe (row[Int(bottom[left])], row[Int(bottom[left &+ 1])])
      let differences = (a ^ current) | (b ^ current) | (c ^ current) | (d ^ current)
      if differences >> 24 != 0 {
        rows.transform(column, by: self)
      } else {
        unsafe to.top[left] = UInt8(truncatingIfNeeded: a)
        unsafe to.top[left &+ 1] = UInt8(truncatingIfNeeded: b)
        unsafe to.bottom[left] = UInt8(truncatingIfNeeded: c)
        unsafe to.bottom[left &+ 1] = UInt8(truncatingIfNeeded: d)
        let (newU, newV) = Self.mean(a, b, c, d)
        unsafe to.u[column &* step] = newU
        unsafe to.v[column &* step] = newV
      }
      column &+= 1
    }
    return columns
  }
}
