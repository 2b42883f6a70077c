import GraphKit
import Synchronization

/// The machine as the items of a batch are looked at: folders for outputs count as made, files that
/// are there as free to be replaced, and streams of files are found once.
///
/// Where only parameters are to be checked, the streams of one of the first inputs stand in for those of
/// all of them: looking into a thousand files would take as long as to run them.
final class PlanningEnvironment: ForwardingEnvironment {
  private struct State {
    var streams: [String: [DiscoveredStream]] = [:]
    var input: String?
    var standIn: [DiscoveredStream]?
  }
  let base: any Environment
  private let state = Mutex(State())
  private let usesStandIn: Bool
  /// The folders in which the batch has promised outputs before.
  private let ownFolders: Set<String>

  /// - Parameter owned: the outputs that the batch has made or promised before. Where there is no place
  ///   for one of them any more, its item will fail; all others are done.
  init(_ base: any Environment, usesStandIn: Bool, owned: Set<String> = []) {
    (self.base, self.usesStandIn) = (base, usesStandIn)
    ownFolders = Set(owned.map { $0.normalPath.parentFolder })
  }

  var replacesFiles: Bool { true }

  /// Looks for streams that can stand in for those of all inputs.
  func findStandIn(among inputs: some Sequence<String>) {
    guard usesStandIn else { return }
    for input in inputs {
      guard let streams = try? base.discover(input) else { continue }
      return state.withLock { $0.standIn = streams }
    }
  }

  /// From now on `path` is the item's input.
  func take(input path: String) { state.withLock { $0.input = path } }

  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    let known = state.withLock { state in
      path == state.input ? usesStandIn ? state.standIn : nil : state.streams[path]
    }
    if let known { return known }
    let streams = try base.discover(path)
    state.withLock { if path != $0.input { $0.streams[path] = streams } }
    return streams
  }

  func outputPlace(_ path: String) -> OutputPlace {
    let place = base.placeWithFolders(path)
    guard case .blocked = place, !path.isEmpty, ownFolders.contains(path.normalPath.parentFolder)
    else { return place }
    return .free
  }
}

extension Environment {
  /// What is where a file is to be written, where its folder will be made.
  func placeWithFolders(_ path: String) -> OutputPlace {
    let place = outputPlace(path)
    guard case .blocked = place, !path.isEmpty else { return place }
    var folder = path.parentFolder
    while case .blocked = outputPlace(folder), folder != ".", folder != "/" {
      folder = folder.parentFolder
    }
    // What is there and no folder, or may not be written to, remains in the way.
    return outputPlace(folder) == .free ? .free : place
  }
}

extension String {
  /// The folder of a path.
  var parentFolder: String {
    lastIndex(of: "/").map { $0 == startIndex ? "/" : String(self[..<$0]) } ?? "."
  }

  /// The last part of a path.
  var lastPart: String { split(separator: "/").last.map(String.init) ?? self }
}
