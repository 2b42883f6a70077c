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
  private var folders: [String] = []
  /// The places that the graph itself gives.
  private var stated: Set<String> = []

  private static let prefix = ".graphkit-"

  /// Makes the hidden folders for an attempt of an item, and the folders that the outputs go to.
  init(_ paths: [String], id: String) throws(File.Failure) {
    name = "\(Self.prefix)\(id).\(Machine.processMark)"
    for path in paths {
      let parent = path.trimmingSlashes.parentFolder
      stated.insert(path.trimmingSlashes)
      guard !folders.contains(parent) else { continue }
      try File.makeFolders(parent)
      File.removeAll("\(parent)/\(name)")
      try File.makeFolders("\(parent)/\(name)")
      folders.append(parent)
    }
  }

  /// Where an output is written.
  func place(_ path: String) -> String {
    let path = path.trimmingSlashes
    return "\(path.parentFolder)/\(name)/\(path.lastPart)"
  }

  /// A text with the outputs' own paths in place of the hidden ones.
  func revealed(_ text: String) -> String {
    text.replacing("/\(name)/", with: "/").replacing("./\(name)/", with: "")
  }

  /// Puts all that was written on the disk and in its place, what the graph itself names last.
  func publish() throws(File.Failure) -> [OutputRecord] {
    var moves: [(from: String, to: String)] = []
    for folder in folders {
      let beginning = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
      for entry in Machine.names(in: "\(folder)/\(name)") {
        moves.append(("\(folder)/\(name)/\(entry)", beginning + entry))
      }
    }
    let last = moves.filter { stated.contains($0.to) }
    let ordered = moves.filter { !stated.contains($0.to) } + last
    var records: [OutputRecord] = []
    for move in ordered { records += try Self.records(of: move.from, as: move.to) }
    for move in ordered { try File.move(move.from, over: move.to) }
    for folder in folders { File.synchronizeFolder(of: "\(folder)/.") }
    remove()
    return records
  }

  /// Removes what was written.
  func remove() {
    for folder in folders { File.removeAll("\(folder)/\(name)") }
  }

  /// Puts a file, or all of a folder, on the disk, and looks at it.
  private static func records(
    of path: String, as final: String
  ) throws(File.Failure) -> [OutputRecord] {
    guard File.isFolder(path) else {
      let file = try File(path)
      try file.synchronize()
      return [
        OutputRecord(
          path: final, bytes: file.size, digest: try FileDigest.hexadecimal(of: file))
      ]
    }
    var records: [OutputRecord] = []
    for name in Machine.names(in: path) {
      records += try Self.records(of: "\(path)/\(name)", as: "\(final)/\(name)")
    }
    File.synchronizeFolder(of: "\(path)/.")
    return records
  }

  /// Removes the hidden folders beside some outputs that attempts have left which aren't on their way
  /// any more: those of processes of this machine that are gone, and of items that are done.
  static func sweep(beside outputs: some Sequence<String>, isDone: (String) -> Bool) {
    for folder in Set(outputs.map { $0.trimmingSlashes.parentFolder }) {
      for name in Machine.names(in: folder) where name.hasPrefix(prefix) {
        let id = name.dropFirst(prefix.count).split(separator: ".").first.map(String.init)
        guard Machine.isLeftBehind(name) || id.map(isDone) == true else { continue }
        File.removeAll("\(folder)/\(name)")
      }
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
