import ArgumentParser
import Batch
import GraphKitSystem

/// Which files a batch is about.
struct ItemOptions: ParsableArguments {
  @Argument(
    help: "Files and patterns; - for a list of paths on standard input.", completion: .file())
  var items: [String] = []
  @Option(
    name: .customLong("items"),
    help: ArgumentHelp(
      "Read the items from a list: JSON Lines (.jsonl), CSV with a head (.csv), or a path a line.",
      valueName: "file"), completion: .file())
  var list: String?
  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "Paths on standard input end in NUL, as `find -print0` writes them.")
  var null = false
  @Option(help: ArgumentHelp("The parameter that a file becomes.", valueName: "name"))
  var inputParameter = "input"

  func validate() throws {
    if items.contains("-"), items.count > 1 {
      throw ValidationError("give - or files, not both")
    }
    if null, !items.isEmpty, items != ["-"] {
      throw ValidationError("-0 is for a list on standard input; leave the files out")
    }
  }

  /// Whether the list comes by standard input.
  var isListedByInput: Bool { null || items == ["-"] }

  /// All items that are given. What a list says of an item holds over what `settings` give to all.
  func listed(_ settings: [Setting]) throws -> [ListedItem] {
    var templates: [String: ItemTemplate] = [:]
    for setting in settings { templates[setting.name] = try ItemTemplate(setting.value) }
    let items = try listed()
    guard !items.isEmpty else {
      throw BatchError(
        .usage, "graphctl", "there are no items",
        remedy: "give files, a pattern such as 'media/**/*.mp3', or --items FILE")
    }
    return items.map { item in
      var item = item
      item.values = templates.mapValues { $0.value(for: item) }.merging(item.values) { $1 }
      return item
    }
  }

  private func listed() throws -> [ListedItem] {
    let fromList = try list.map { path in
      try read(ItemLines.Format(ofFile: path), name: path) { () throws(File.Failure) in
        let file = try File(path)
        return try file.read(at: 0, count: file.size)
      }
    }
    guard isListedByInput else { return (fromList ?? []) + (try ItemWords.items(items)) }
    let piped = try read(null ? .nullSeparated : .paths, name: "standard input") {
      () throws(File.Failure) in try StandardStream.input.read(limit: 1 << 30)
    }
    return (fromList ?? []) + piped
  }

  private func read(
    _ format: ItemLines.Format, name: String, _ bytes: () throws(File.Failure) -> [UInt8]
  ) throws -> [ListedItem] {
    let list: [UInt8]
    do throws(File.Failure) { list = try bytes() } catch { throw unreadable(name, error) }
    return try ItemLines.read(list, format, name: name, inputParameter: inputParameter)
  }

  private func unreadable(_ name: String, _ error: File.Failure) -> BatchError {
    BatchError(
      .noInput, name, "the list can't be read: \(error.text)", remedy: "give another file")
  }
}
