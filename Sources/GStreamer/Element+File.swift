import CGStreamer
import GraphKitSystem

/// How a demuxer is to read a file otherwise than it is.
package struct FileChanges: Sendable {
  /// Bytes in place of the file's own, by offset.
  package var patches: [Int: [UInt8]]
  /// Bytes before an offset of the file. All other offsets count them.
  package var insertions: [Int: [UInt8]]
  /// Where the file is to end.
  package var end: Int?

  /// Changes of a file; none at first.
  package init(
    patches: [Int: [UInt8]] = [:], insertions: [Int: [UInt8]] = [:], end: Int? = nil
  ) {
    (self.patches, self.insertions, self.end) = (patches, insertions, end)
  }
}

extension Element {
  /// Has what follows this element, which reads a file, find it with changes.
  ///
  /// The `file` is given where it is a web server's, and this element reads its copy: its bytes then
  /// come as they are read. Where they don't, `onFailure` is called before anything else hears of it,
  /// on the thread that reads.
  package func showFile(
    with changes: FileChanges, from file: File? = nil,
    onFailure: @escaping @Sendable () -> Void = {}
  ) {
    var view: FileView?
    if !changes.insertions.isEmpty, let opened = file ?? location.flatMap({ try? File($0) }) {
      view = FileView(opened, changes.insertions)
    }
    pad("src")?.showFile(view, with: changes)
    if let file { pad("src")?.fetchFile(file, onFailure) }
  }

  /// The file's name.
  private var location: String? {
    var value = GValue()
    unsafe g_value_init(&value, g_type_from_name("gchararray"))
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(gobject(raw), "location", &value)
    return unsafe g_value_get_string(&value).map { unsafe String(cString: $0) }
  }
}

extension Pad {
  fileprivate func showFile(_ view: FileView?, with changes: FileChanges) {
    if let end = changes.end ?? view?.size { endFile(at: end) }
    if let view { replaceReading(by: view) }
    guard !changes.patches.isEmpty else { return }
    replaceBuffers { buffer in
      guard let start = buffer.fileOffset.flatMap({ Int(exactly: $0) }) else { return buffer }
      var buffer = buffer
      for (place, bytes) in changes.patches { buffer.overwrite(bytes, at: place - start) }
      return buffer
    }
  }

  /// Answers each request for bytes in place of the element.
  private func replaceReading(by view: FileView) {
    let box = unsafe Unmanaged.passRetained(Box(view)).toOpaque()
    // Only what may block comes before the element reads.
    let types = GST_PAD_PROBE_TYPE_PULL.rawValue | GST_PAD_PROBE_TYPE_BLOCK.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box else { return GST_PAD_PROBE_PASS }
        let view = unsafe Unmanaged<Box<FileView>>.fromOpaque(box).takeUnretainedValue().value
        // The element itself says that there is nothing, and where the file can't be read.
        guard let start = unsafe Int(exactly: info.pointee.offset),
          let buffer = unsafe view.read(at: start, count: Int(info.pointee.size))
        else { return GST_PAD_PROBE_PASS }
        unsafe info.pointee.data = UnsafeMutableRawPointer(buffer.release())
        // The request alone is dropped: a buffer that is there answers it.
        return GST_PAD_PROBE_DROP
      }, box, { box in unsafe releaseBox(box) })
  }

  /// Has the bytes of each request on this machine before the element reads them.
  fileprivate func fetchFile(
    _ file: File, _ onFailure: @escaping @Sendable () -> Void
  ) {
    let box = unsafe Unmanaged.passRetained(Box((file, onFailure))).toOpaque()
    let types = GST_PAD_PROBE_TYPE_PULL.rawValue | GST_PAD_PROBE_TYPE_BLOCK.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { pad, info, box in
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let start = unsafe Int(exactly: info.pointee.offset)
        else { return GST_PAD_PROBE_PASS }
        let (file, onFailure) = unsafe Unmanaged<Box<FetchedReading>>.fromOpaque(box)
          .takeUnretainedValue().value
        do throws(File.Failure) {
          try unsafe file.fetch(at: start, count: Int(info.pointee.size)) {
            unsafe pad.pointee.object.flags & GST_PAD_FLAG_FLUSHING.rawValue == 0
          }
          return GST_PAD_PROBE_PASS
        } catch {
          onFailure()
          // To the demuxer it is the end; there is no other answer without bytes.
          return GST_PAD_PROBE_DROP
        }
      }, box, { box in unsafe releaseBox(box) })
  }

  /// Answers in place of the element how long its file is. More can still be read: a demuxer that
  /// chooses what it reads asks for the length first.
  private func endFile(at end: Int) {
    let box = unsafe Unmanaged.passRetained(Box(gint64(end))).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM,
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box,
          let query = unsafe gst_pad_probe_info_get_query(info),
          unsafe query.pointee.type == GST_QUERY_DURATION
        else { return GST_PAD_PROBE_OK }
        var format = GST_FORMAT_UNDEFINED
        unsafe gst_query_parse_duration(query, &format, nil)
        guard format == GST_FORMAT_BYTES else { return GST_PAD_PROBE_OK }
        let end = unsafe Unmanaged<Box<gint64>>.fromOpaque(box).takeUnretainedValue().value
        unsafe gst_query_set_duration(query, GST_FORMAT_BYTES, end)
        return GST_PAD_PROBE_HANDLED
      }, box, { box in unsafe releaseBox(box) })
  }
}

/// What a probe has that fetches a file, and what it calls where it can't.
private typealias FetchedReading = (File, @Sendable () -> Void)

/// A file with bytes inserted.
private struct FileView: Sendable {
  private struct Part: Sendable {
    /// Where it begins in the view.
    var start: Int
    /// Where it begins in the file, of a part of that.
    var place: Int
    /// The bytes, of an insertion.
    var bytes: [UInt8]?
    var count: Int
  }

  private let file: File
  private var parts: [Part] = []
  private(set) var size = 0

  /// A file that is there.
  init(_ file: File, _ insertions: [Int: [UInt8]]) {
    self.file = file
    let length = file.size
    var place = 0
    for (offset, bytes) in insertions.sorted(by: { $0.key < $1.key }) where offset <= length {
      add(Part(start: size, place: place, count: offset - place))
      add(Part(start: size, place: offset, bytes: bytes, count: bytes.count))
      place = offset
    }
    add(Part(start: size, place: place, count: length - place))
  }

  private mutating func add(_ part: Part) {
    guard part.count > 0 else { return }
    parts.append(part)
    size += part.count
  }

  /// Some bytes; fewer at the end. `nil` where there are none.
  func read(at offset: Int, count: Int) -> Buffer? {
    let count = min(count, size - offset)
    guard count > 0, offset >= 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for part in parts where part.start < offset + count && offset < part.start + part.count {
      let first = max(0, offset - part.start)
      let last = min(part.count, offset + count - part.start)
      if let inserted = part.bytes {
        bytes += inserted[first..<last]
      } else {
        guard let read = try? file.read(at: part.place + first, count: last - first),
          !read.isEmpty
        else { break }
        bytes += read
        // It was cut off meanwhile.
        if read.count < last - first { break }
      }
    }
    return bytes.isEmpty ? nil : Buffer(bytes, fileOffset: offset)
  }
}

extension Buffer {
  /// Bytes of a file, from an offset on.
  fileprivate init(_ bytes: [UInt8], fileOffset: Int) {
    self.init(bytes)
    unsafe raw.pointee.offset = guint64(fileOffset)
    unsafe raw.pointee.offset_end = guint64(fileOffset + bytes.count)
  }

  /// Writes bytes at an offset, as far as they are in the buffer.
  fileprivate mutating func overwrite(_ new: [UInt8], at offset: Int) {
    guard offset > -new.count, offset < size, var map = MutableBufferMap(&self) else { return }
    var bytes = map.mutableSpan(of: UInt8.self, from: 0, count: map.size)
    for index in new.indices where bytes.indices.contains(offset + index) {
      bytes[offset + index] = new[index]
    }
  }
}
