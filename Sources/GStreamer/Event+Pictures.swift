import CGStreamer

extension Event {
  /// A picture that tags have.
  package struct Picture: Hashable, Sendable {
    /// As its file would have it.
    package var bytes: [UInt8]
    /// What it shows, by ID3v2's number.
    package var kind: Int

    package init(_ bytes: [UInt8], kind: Int) { (self.bytes, self.kind) = (bytes, kind) }
  }

  private static let imageTag = "image"
  /// Pictures for lists of files, which have a tag of their own.
  private static let iconTag = "preview-image"

  /// ID3v2's numbers for the front cover, for icons, and for what has none.
  private static let (frontCover, icon, other) = (3, 2, 0)
  /// GStreamer numbers what there is from the front cover on, which is 1.
  private static let firstNumber = frontCover - 1

  /// The pictures of tags, in their order. One of which nothing is said is a cover.
  static func pictures(in list: UnsafeMutablePointer<GstTagList>) -> [Picture] {
    var pictures: [Picture] = []
    for index in 0..<(unsafe gst_tag_list_get_tag_size(list, imageTag)) {
      var sample: OpaquePointer?
      guard unsafe gst_tag_list_get_sample_index(list, imageTag, index, &sample) != 0,
        let found = unsafe sample
      else { continue }
      defer { unsafe gst_sample_unref(found) }
      if let bytes = unsafe bytes(of: found) {
        unsafe pictures.append(Picture(bytes, kind: kind(of: found)))
      }
    }
    var sample: OpaquePointer?
    if unsafe gst_tag_list_get_sample_index(list, iconTag, 0, &sample) != 0,
      let found = unsafe sample
    {
      if let bytes = unsafe bytes(of: found) { pictures.append(Picture(bytes, kind: icon)) }
      unsafe gst_sample_unref(found)
    }
    return pictures
  }

  private static func bytes(of sample: OpaquePointer) -> [UInt8]? {
    guard let raw = unsafe gst_sample_get_buffer(sample) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(unsafe gst_buffer_get_size(raw)))
    let count = unsafe bytes.withUnsafeMutableBytes { memory in
      unsafe gst_buffer_extract(raw, 0, memory.baseAddress, gsize(memory.count))
    }
    return count == gsize(bytes.count) && !bytes.isEmpty ? bytes : nil
  }

  private static func kind(of sample: OpaquePointer) -> Int {
    var number: gint = 0
    guard let info = unsafe gst_sample_get_info(sample),
      unsafe gst_structure_get_enum(info, "image-type", gst_tag_image_type_get_type(), &number)
        != 0
    else { return frontCover }
    return number > 0 ? Int(number) + firstNumber : other
  }

  /// Adds a picture to tags. What isn't JPEG or PNG says no format: its bytes do.
  static func add(_ picture: Picture, to list: UnsafeMutablePointer<GstTagList>) {
    let type: String
    if picture.bytes.starts(with: [0xff, 0xd8]) {
      type = "image/jpeg"
    } else if picture.bytes.starts(with: [0x89, 0x50]) {
      type = "image/png"
    } else {
      type = "application/octet-stream"
    }
    guard let caps = Caps(type) else { return }
    let buffer = Buffer(picture.bytes)
    let isIcon = picture.kind == 1 || picture.kind == icon
    let info = unsafe isIcon ? nil : self.info(ofKind: picture.kind)
    // The sample owns what is said of it.
    guard let sample = unsafe gst_sample_new(buffer.raw, caps.raw, nil, info) else { return }
    var value = GValue()
    unsafe g_value_init(&value, gst_sample_get_type())
    unsafe g_value_take_boxed(&value, UnsafeRawPointer(sample))
    defer { unsafe g_value_unset(&value) }
    unsafe gst_tag_list_add_value(
      list, GST_TAG_MERGE_APPEND, isIcon ? iconTag : imageTag, &value)
  }

  private static func info(ofKind kind: Int) -> UnsafeMutablePointer<GstStructure>? {
    guard let info = unsafe gst_structure_new_empty("GstTagImageInfo") else { return nil }
    var value = GValue()
    unsafe g_value_init(&value, gst_tag_image_type_get_type())
    defer { unsafe g_value_unset(&value) }
    unsafe g_value_set_enum(&value, gint(clamping: max(0, kind - firstNumber)))
    unsafe gst_structure_set_value(info, "image-type", &value)
    return unsafe info
  }
}
