import CGStreamer

extension Event {
  /// The tags of a stream: texts, by GStreamer's names; dates as ISO 8601 has them, numbers in
  /// digits; languages by three letters, by their shortest code as `language-tag`, and by name, where they
  /// aren't undetermined; and the pictures.
  var tagList: Kind {
    var list: UnsafeMutablePointer<GstTagList>?
    unsafe gst_event_parse_tag(raw, &list)
    guard let list = unsafe list else { return .other }
    var tags: [String: String] = [:]
    for index in 0..<(unsafe gst_tag_list_n_tags(list)) {
      guard let name = unsafe gst_tag_list_nth_tag_name(list, guint(index)) else { continue }
      if let text = unsafe Self.text(of: name, in: list) {
        unsafe tags[String(cString: name)] = text
      }
    }
    if let day = tags.removeValue(forKey: "date") { tags["datetime"] = tags["datetime"] ?? day }
    let comments = unsafe Self.comments(in: list)
    for comment in comments { Self.note(comment, in: &tags) }
    // What a muxer has counted is no remark.
    if tags["extended-comment"] != nil {
      tags["extended-comment"] = comments.first { !Self.isCounted($0) }.map(String.init)
    }
    if tags["language-code"] == "und" {
      tags["language-code"] = nil
    } else if let code = tags["language-code"] {
      if let short = unsafe gst_tag_get_language_code_iso_639_1(code) {
        unsafe tags["language-tag"] = String(cString: short)
      }
      if let name = unsafe gst_tag_get_language_name(code), tags["language-name"] == nil {
        unsafe tags["language-name"] = String(cString: name)
      }
      if let three = Library.threeLetters(ofLanguage: code) { tags["language-code"] = three }
    }
    return unsafe .tags(tags, pictures: Self.pictures(in: list))
  }

  /// What GStreamer has no tags for: `NAME=value`, by the names of Matroska's tags, of Vorbis comments, or
  /// ffmpeg's.
  private static func comments(in list: UnsafeMutablePointer<GstTagList>) -> [Substring] {
    let name = "extended-comment"
    var comments: [Substring] = []
    for index in 0..<(unsafe gst_tag_list_get_tag_size(list, name)) {
      var text: UnsafeMutablePointer<gchar>?
      guard unsafe gst_tag_list_get_string_index(list, name, index, &text) != 0,
        let found = unsafe text
      else { continue }
      unsafe comments.append(Substring(String(cString: found)))
      unsafe g_free(found)
    }
    return comments
  }

  /// Whether a comment is of those in which muxers of Matroska say what they have written.
  private static func isCounted(_ comment: Substring) -> Bool {
    ["DURATION=", "BPS=", "NUMBER_OF_", "_STATISTICS_"].contains { comment.hasPrefix($0) }
  }

  /// How long a stream is, as muxers of Matroska say it in its tags: `DURATION=00:01:05.020000000`.
  var taggedDuration: UInt64? {
    var list: UnsafeMutablePointer<GstTagList>?
    guard unsafe raw.pointee.type == GST_EVENT_TAG, !areTagsOfFile else { return nil }
    unsafe gst_event_parse_tag(raw, &list)
    guard let list = unsafe list else { return nil }
    let comments = unsafe Self.comments(in: list)
    guard let text = comments.first(where: { $0.hasPrefix("DURATION=") })?.dropFirst(9) else {
      return nil
    }
    let parts = text.split(separator: ":").map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      0..<1e6 ~= hours, 0..<60 ~= minutes, 0..<60 ~= seconds
    else { return nil }
    return UInt64(((hours * 60 + minutes) * 60 + seconds) * 1e9)
  }

  private static let commentNames = [
    "album_artist": "album-artist", "album artist": "album-artist", "albumartist": "album-artist",
    "grouping": "grouping", "disc": "album-disc-number", "discnumber": "album-disc-number",
    "track": "track-number", "part_number": "track-number", "total_parts": "track-count",
    "lyrics": "lyrics", "unsyncedlyrics": "lyrics",
  ]

  /// Takes a comment for the tag that it is, where nothing else says that. Numbers may have the count of
  /// all behind them: `3/9`.
  private static func note(_ comment: Substring, in tags: inout [String: String]) {
    guard let equals = comment.firstIndex(of: "="),
      let name = commentNames[comment[..<equals].lowercased()], tags[name] == nil
    else { return }
    let value = comment[comment.index(after: equals)...]
    guard name.hasSuffix("-number") else { return tags[name] = String(value) }
    let numbers = value.split(separator: "/").map { UInt32($0) }
    guard let number = numbers.first ?? nil else { return }
    tags[name] = "\(number)"
    if numbers.count == 2, let count = numbers[1] {
      tags[name.dropLast("number".count) + "count"] = "\(count)"
    }
  }

  private static func text(
    of name: UnsafePointer<gchar>, in list: UnsafeMutablePointer<GstTagList>
  ) -> String? {
    let type = unsafe gst_tag_get_type(name)
    if type == g_date_get_type() { return unsafe day(of: name, in: list) }
    if unsafe type == g_type_from_name("guint") {
      var number: guint = 0
      return unsafe gst_tag_list_get_uint(list, name, &number) != 0 ? "\(number)" : nil
    }
    if unsafe type == g_type_from_name("gdouble") {
      var number: gdouble = 0
      return unsafe gst_tag_list_get_double(list, name, &number) != 0 ? "\(number)" : nil
    }
    var text: UnsafeMutablePointer<gchar>?
    if unsafe type == g_type_from_name("gchararray") {
      unsafe gst_tag_list_get_string(list, name, &text)
    } else if type == gst_date_time_get_type() {
      var date: OpaquePointer?
      if unsafe gst_tag_list_get_date_time(list, name, &date) != 0 {
        unsafe text = gst_date_time_to_iso8601_string(date)
        unsafe gst_date_time_unref(date)
      }
    }
    guard let found = unsafe text else { return nil }
    defer { unsafe g_free(found) }
    return unsafe String(cString: found)
  }

  private static func day(
    of name: UnsafePointer<gchar>, in list: UnsafeMutablePointer<GstTagList>
  ) -> String? {
    var found: UnsafeMutablePointer<GDate>?
    guard unsafe gst_tag_list_get_date(list, name, &found) != 0, let date = unsafe found else {
      return nil
    }
    defer { unsafe g_date_free(date) }
    guard unsafe g_date_valid(date) != 0 else { return nil }
    func digits(_ number: Int, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return unsafe [
      digits(Int(g_date_get_year(date)), 4), digits(Int(g_date_get_month(date).rawValue), 2),
      digits(Int(g_date_get_day(date)), 2),
    ].joined(separator: "-")
  }
}

extension Library {
  /// The three letters (ISO 639-2/T) of a language by its two, or by other three; `nil` for none.
  package static func threeLetters(ofLanguage code: String) -> String? {
    unsafe gst_tag_get_language_code_iso_639_2T(code).map { unsafe String(cString: $0) }
  }
}

extension Library {
  /// A language's tag with the shortest code that there is for three letters: `de` for `deu`.
  package static func shortTag(ofLanguage tag: String) -> String {
    guard tag.utf8.count == 3, let short = unsafe gst_tag_get_language_code_iso_639_1(tag) else {
      return tag
    }
    return unsafe String(cString: short)
  }
}
