import GStreamer
import GraphKit
import GraphKitSystem

/// The outputs of an attempt, which are written into a hidden folder beside each of their places and
/// moved there when all of them are whole.
///
/// The names in a hidden folder are those of the outputs, so that files which name each other, as
/// those of streams and thumbnails do, are right. A worker that dies leaves the folder behind, named
/// after it, until a later run of the batch sweeps it away.
struct StagedOutputs {
  private let name: String
  /// The folders that the outputs go to, and the hidden one of each.
  private var folders: [(final: String, hidden: String)] = []
  /// The places that the graph itself gives.
  private var stated: Set<String> = []

  private static let prefix = ".graphkit-"

  /// The name of an attempt's hidden folders.
  static func hiddenName(_ id: String) -> String { "\(prefix)\(id).\(Machine.processMark)" }

  /// Makes the hidden folders for an attempt of an item, and the folders that the outputs go to: none
  /// for outputs that a command will bring away, which are written in the folder for temporary files.
  init(_ paths: [String], id: String, isRemote: Bool = false) throws(File.Failure) {
    name = Self.hiddenName(id)
    for path in paths {
      let parent = path.trimmingSlashes.parentFolder
      stated.insert(path.trimmingSlashes)
      guard !folders.contains(where: { $0.final == parent }) else { continue }
      let hidden =
        isRemote ? "\(Staging.folder)/\(name)/out-\(folders.count)" : "\(parent)/\(name)"
      if !isRemote { try File.makeFolders(parent) }
      File.removeAll(hidden)
      try File.makeFolders(hidden)
      folders.append((parent, hidden))
    }
  }

  /// Where an output is written.
  func place(_ path: String) -> String {
    let path = path.trimmingSlashes
    let parent = path.parentFolder
    // Every path was there when the folders were made.
    let hidden = folders.first { $0.final == parent }?.hidden ?? "\(parent)/\(name)"
    return "\(hidden)/\(path.lastPart)"
  }

  /// A text with the outputs' own paths in place of the hidden ones.
  func revealed(_ text: String) -> String {
    folders.reduce(text) { text, folder in
      text.replacing("\(folder.hidden)/", with: folder.final == "." ? "" : "\(folder.final)/")
    }
  }

  /// All that was written, with its own path; what the graph itself names last.
  private var moves: [(from: String, to: String)] {
    let moves = folders.flatMap { folder in
      let beginning =
        folder.final == "." ? "" : folder.final.hasSuffix("/") ? folder.final : folder.final + "/"
      return Machine.names(in: folder.hidden).map { ("\(folder.hidden)/\($0)", beginning + $0) }
    }
    return moves.filter { !stated.contains($0.1) } + moves.filter { stated.contains($0.1) }
  }

  /// Puts all that was written on the disk and in its place, what the graph itself names last.
  func publish() throws(File.Failure) -> [OutputRecord] {
    let moves = moves
    var records: [OutputRecord] = []
    for move in moves { records += try Self.files(of: move.from, as: move.to).map(\.record) }
    for move in moves { try File.move(move.from, over: move.to) }
    for folder in folders { File.synchronizeFolder(of: "\(folder.final)/.") }
    remove()
    return records
  }

  /// Each file that was written, what the graph itself names last, for a command that brings it away.
  func files() throws(File.Failure) -> [(path: String, record: OutputRecord)] {
    var files: [(path: String, record: OutputRecord)] = []
    for move in moves { files += try Self.files(of: move.from, as: move.to, isRemote: true) }
    return files
  }

  /// Removes what was written.
  func remove() {
    for folder in folders { File.removeAll(folder.hidden) }
    File.removeFolder("\(Staging.folder)/\(name)")
  }

  /// Puts a file, or all of a folder, on the disk, and looks at it.
  private static func files(
    of path: String, as final: String, isRemote: Bool = false
  ) throws(File.Failure) -> [(path: String, record: OutputRecord)] {
    guard File.isFolder(path) else {
      let file = try File(path)
      if !isRemote { try file.synchronize() }
      let digest = try FileDigest.hexadecimal(of: file)
      return [
        (path, OutputRecord(path: final, bytes: file.size, digest: digest, isRemote: isRemote))
      ]
    }
    var files: [(path: String, record: OutputRecord)] = []
    for name in Machine.names(in: path) {
      files += try Self.files(of: "\(path)/\(name)", as: "\(final)/\(name)", isRemote: isRemote)
    }
    File.synchronizeFolder(of: "\(path)/.")
    return files
  }

  /// Removes the hidden folders that attempts have left which aren't on their way any more: those of
  /// processes of this machine that are gone, and beside some outputs also those of items that are over.
  static func sweep(beside outputs: some Sequence<String>, isOver: (String) -> Bool) {
    // Other batches have theirs in the folder for temporary files, too.
    sweep(Staging.folder) { _ in false }
    for folder in Set(outputs.map { $0.trimmingSlashes.parentFolder }) { sweep(folder, isOver) }
  }

  private static func sweep(_ folder: String, _ isOver: (String) -> Bool) {
    for name in Machine.names(in: folder) where name.hasPrefix(prefix) {
      let id = name.dropFirst(prefix.count).split(separator: ".").first.map(String.init)
      guard Machine.isLeftBehind(name) || id.map(isOver) == true else { continue }
      File.removeAll("\(folder)/\(name)")
    }
  }
}

extension String {
  fileprivate var trimmingSlashes: String {
    var text = self[...]
    while text.count > 1, text.hasSuffix("/") { text.removeLast() }
    return String(text)
  }
}
