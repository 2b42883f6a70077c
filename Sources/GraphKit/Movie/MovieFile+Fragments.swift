import GStreamer

extension MovieFile {
  /// Calls `body` with every `moof` box, in the order of the file, and its place.
  func forEachFragment(_ body: (MovieBytes, _ start: Int) -> Void) throws(NodeError) {
    do {
      let size = file.size
      var offset = fragmentStart ?? size
      while offset < size {
        // Enough for most fragments, so that each is read once.
        var data = MovieBytes(bytes: try file.read(at: offset, count: 512))
        guard let box = data.box(at: 0, limit: size - offset) else { return }
        if box.type == "moof", box.size <= 1 << 30 {
          if box.size > data.bytes.count {
            data = MovieBytes(bytes: try file.read(at: offset, count: box.size))
          }
          body(data, offset)
        }
        offset += box.end
      }
    } catch { throw .unusable(path, error) }
  }

  /// Makes an ordinary movie of one in fragments, without moving a sample.
  ///
  /// The new index goes behind everything, where nobody looks for it as long as the first is there.
  /// Then one write of 16 bytes lets the first index and all fragments become the inside of a box
  /// of samples: at every moment the file is a movie of one kind or the other. A movie that isn't
  /// in fragments is left as it is, as is one whose fragments leave something open.
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
      for fragment in MovieFragment.all(in: data) where isWhole {
        isWhole = tables[fragment.track, default: SampleTable()]
          .append(fragment, of: data, at: start, fileSize: size)
      }
    }
    return isWhole ? tables : nil
  }
}

extension SampleTable {
  /// Adds the samples of a fragment; `false` where it leaves out their places or sizes, or they
  /// aren't all in the file.
  fileprivate mutating func append(
    _ fragment: MovieFragment, of data: MovieBytes, at start: Int, fileSize: Int
  ) -> Bool {
    for run in fragment.runs where run.count > 0 {
      guard let distance = run.start else { return false }
      var place = (fragment.base ?? start) &+ distance
      guard place >= 0, place <= fileSize else { return false }
      beginChunk(at: place, samples: run.count)
      for index in 0..<run.count {
        let sample = fragment.sample(index, of: run, in: data)
        guard sample.size > 0, sample.size <= fileSize - place else { return false }
        place += sample.size
        append(sample)
      }
    }
    return true
  }
}
