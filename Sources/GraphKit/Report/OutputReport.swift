import GStreamer
import GraphKitSystem

/// A file that a run wrote, as an independent look into it finds it after the end.
public struct OutputReport: Sendable, Hashable, Codable {
  /// The sink that wrote the file.
  public var node: String
  /// The file's path, as the graph gives it.
  public var path: String
  /// The file's size; `nil` where there is no file.
  public var bytes: Int?
  /// What the file's index says, where the file is a container that GraphKit reads.
  public var contents: ContainerSummary?
  /// Why the file can't be read, where it should be.
  public var problem: String?

  private enum CodingKeys: String, CodingKey {
    case node, path, bytes, problem
    case contents = "movie"
  }
}

extension Plan {
  /// The files that the plan's nodes write, by the nodes' names.
  package var outputs: [(node: String, path: String)] { files(isWritten: true) }

  /// The files that the plan's nodes read, by the nodes' names.
  package var inputs: [(node: String, path: String)] { files(isWritten: false) }

  private func files(isWritten: Bool) -> [(node: String, path: String)] {
    nodes.filter { !$0.node.traits.writesStandardOutput }.flatMap { planned in
      let node = planned.original ?? planned.node
      let named = node.namedFiles
      let paths = named.filter { $0.isWritten == isWritten }.flatMap {
        $0.existing(among: Machine.names(in:))
      }
      guard (planned.type.role == .sink) == isWritten else {
        return paths.map { (planned.name, $0) }
      }
      // A sink may read the file of a parameter, and says so.
      let known = Set(named.filter { $0.isWritten != isWritten }.map(\.key))
      let own = planned.type.files(of: node, but: known, isWritten: isWritten)
      return (paths + own).map { (planned.name, $0) }
    }
  }

  /// Whether one of the plan's nodes writes its data to standard output.
  package var writesStandardOutput: Bool {
    nodes.contains(where: \.node.traits.writesStandardOutput)
  }

  /// Looks at every file that the plan's sinks have written, but for those of some sinks and those
  /// that are `kept` as they were.
  func inspectOutputs(but unwritten: Set<String>, kept: Set<String>) -> [OutputReport] {
    outputs.filter { !unwritten.contains($0.node) && !kept.contains($0.path) }
      .map { OutputReport(node: $0.node, path: $0.path) }
  }
}

extension NodeType {
  /// The files that a node's path parameters name, but for some.
  fileprivate func files(of node: any Node, but known: Set<String>, isWritten: Bool) -> [String] {
    parameters.filter { $0.kind == .path && !known.contains($0.name) }.flatMap { parameter in
      guard case .string(let path)? = parameter.read(node), !path.isEmpty else {
        return [String]()
      }
      // What reads means just the name, with a number in it, too; a row of pictures names each itself.
      guard isWritten else { return [path] }
      return NamedFile(path, key: parameter.name, isWritten: true)
        .existing(among: Machine.names(in:)).sorted()
    }
  }
}

extension OutputReport {
  init(node: String, path: String) {
    self.init(node: node, path: path, bytes: nil, contents: nil, problem: nil)
    if File.isFolder(path) {
      bytes = Machine.names(in: path).reduce(0) { sum, name in
        sum + ((try? File("\(path)/\(name)").size) ?? 0)
      }
      return
    }
    do { bytes = try File(path).size } catch {
      problem = error.text
      return
    }
    do { contents = try ContainerReader.read(path) } catch { problem = error.message }
  }
}
