import Media
import System

extension MovieFile {
  /// Calls `body` with every `moof` box, in the order of the file, and its place.
  func forEachFragment(_ body: (MovieBytes, _ start: Int) -> Void) throws(NodeError) {
    do {
      let size = file.size
      var offset = fragmentStart ?? size
      // Enough for most fragments, so that each is read once, and memory for one after another.
      var data = MovieBytes(bytes: Array(repeating: 0, count: 512))
      while offset < size {
        try file.read(into: &data.bytes, at: offset, count: 512)
        guard let box = data.box(at: 0, limit: size - offset) else { return }
        if box.type == "moof", box.size <= 1 << 30 {
          if box.size > 512 { try file.read(into: &data.bytes, at: offset, count: box.size) }
          body(data, offset)
        }
        offset += box.end
      }
    } catch { throw .unusable(path, error) }
  }

  /// Makes an ordinary movie of one in fragments, without moving a sample.
  ///
  /// The new index goes to the end of the file, where readers ignore it as long as the first is
  /// there. Then one write of 16 bytes lets the first index and all fragments become the inside of
  /// a box of samples: at every moment the file is a movie of one kind or the other. A movie that
  /// isn't in fragments is left as it is, as is one whose fragments leave something open.
  func joinFragments() throws(NodeError) {
    guard fragmentStart != nil, let first = indexBox, let tables = try sampleTables() else {
      return
    }
    let index = try self.index()
    let end = file.size
    do throws(File.Failure) {
      try append(index.joined(with: tables), at: end)
      var header = BoxWriter()
      header.write(1, bytes: 4)
      header.write(Array("mdat".utf8)[...])
      header.write(end - first.start, bytes: 8)
      try file.write(header.bytes, at: first.start)
    } catch { throw .unusable(path, error) }
  }

  private func append(_ bytes: [UInt8], at end: Int) throws(File.Failure) {
    do throws(File.Failure) { try file.write(bytes, at: end) } catch {
      try? file.truncate(to: end)
      throw error
    }
  }

  /// The samples of all fragments by track; `nil` where they aren't the whole movie, or don't say
  /// all that an index must.
  private func sampleTables() throws(NodeError) -> [Int: SampleTable]? {
    guard try index().tracks.allSatisfy({ $0.sampleCount == 0 }) else { return nil }
    var tables: [Int: SampleTable] = [:]
    var isWhole = true
    let size = file.size
    try forEachFragment { data, start in
      MovieFragment.forEach(in: data) { fragment in
        switch fragment.room(in: data, at: start, fileSize: size) {
        case .whole:
          tables[fragment.track, default: SampleTable()].add(fragment, of: data, at: start)
        case .isCutOff: break
        case .isVague: isWhole = false
        }
      }
    }
    for track in tables.keys { tables[track]?.lengthenLast() }
    return isWhole ? tables : nil
  }
}

extension MovieFragment {
  fileprivate enum Room { case whole, isCutOff, isVague }

  /// Whether the samples are all in the file, and the fragment says where.
  fileprivate func room(in data: MovieBytes, at start: Int, fileSize: Int) -> Room {
    var room = Room.whole
    forEachRun(in: data) { run in
      guard let distance = run.start, (base ?? start) &+ distance >= 0 else {
        return room = .isVague
      }
      var place = (base ?? start) &+ distance
      // A run may claim four thousand million samples in no bytes.
      for index in 0..<run.count {
        guard room == .whole else { return }
        let size = sample(index, of: run, in: data).size
        if size == 0 { room = .isVague }
        if place > fileSize - size { room = .isCutOff }
        place &+= size
      }
    }
    return room
  }
}

extension SampleTable {
  /// Adds the samples of a fragment.
  fileprivate mutating func add(_ fragment: MovieFragment, of data: MovieBytes, at start: Int) {
    fragment.forEachRun(in: data) { run in
      guard let distance = run.start, run.count > 0 else { return }
      beginChunk(at: (fragment.base ?? start) + distance, samples: run.count)
      for index in 0..<run.count { append(fragment.sample(index, of: run, in: data)) }
    }
  }
}
