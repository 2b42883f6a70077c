import GraphKitSystem

/// The items that the words of a command line stand for.
package enum ItemWords {
  /// Files and patterns, in their order; a file whose name is a pattern is that file.
  package static func items(_ words: [String]) throws(BatchError) -> [ListedItem] {
    var items: [ListedItem] = []
    for word in words {
      if NamePattern.isPattern(word), !File.exists(word) {
        items += try ItemPattern.items(word)
      } else if File.isFolder(word) {
        throw BatchError(
          .usage, word, "it is a folder",
          remedy: "name its files, such as '\(word.hasSuffix("/") ? word : word + "/")**/*.mp3'")
      } else {
        items.append(ListedItem(word))
      }
    }
    var known: Set<ExactPath> = []
    return items.filter { known.insert(ExactPath($0.input)).inserted }
  }
}
