import Media
import GraphKitSystem

extension MovieFile {
  /// A fragment with its samples, and what it says of itself.
  private struct SealedFragment {
    var start: Int
    var size: Int
    var seal: FragmentSeal?
  }

  /// Where the first fragment begins that isn't as it was written, by the seals that this library's own
  /// have; `nil` where all are, and for movies of other programs.
  ///
  /// Only what wasn't on the disk for certain is read: usually the last seconds.
  func firstDamagedFragment() throws(NodeError) -> Int? {
    let fragments = try sealedFragments()
    guard fragments.contains(where: { $0.seal != nil }) else { return nil }
    guard let newest = fragments.lastIndex(where: isWhole) else { return fragments.first?.start }
    let flushed = fragments[newest].seal?.flushedCount ?? 0
    // The last of what was flushed may have lacked its header then.
    let damaged = fragments[..<newest].first { fragment in
      fragment.start &+ fragment.size >= flushed && !isWhole(fragment)
    }
    return damaged?.start ?? fragments[(newest + 1)...].first?.start
  }

  private func isWhole(_ fragment: SealedFragment) -> Bool {
    guard let seal = fragment.seal, fragment.size <= file.size - fragment.start else {
      return false
    }
    return seal.holds(for: file, at: fragment.start, size: fragment.size)
  }

  private func sealedFragments() throws(NodeError) -> [SealedFragment] {
    var fragments: [SealedFragment] = []
    let size = file.size
    try forEachFragment { data, start in
      guard let size = data.box(at: 0, limit: .max)?.size else { return }
      fragments.append(
        SealedFragment(start: start, size: size, seal: FragmentSeal(in: data)))
    }
    do throws(File.Failure) {
      for index in fragments.indices where fragments[index].seal != nil {
        let place = fragments[index].start + fragments[index].size
        let header = MovieBytes(bytes: try file.read(at: place, count: 16))
        guard let samples = header.box(at: 0, limit: size - place) else { continue }
        fragments[index].size += samples.size
      }
    } catch { throw .unusable(path, error) }
    return fragments
  }
}
