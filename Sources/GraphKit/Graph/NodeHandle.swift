/// A node of a graph that is being composed, with its type's ports as properties:
/// `gain.input`, `sink.video`, `sink.audio[2]`.
@dynamicMemberLookup
public struct NodeHandle<N: Node>: Hashable, Sendable {
  /// The node's name in the graph.
  public let name: String

  /// An output that the node's type declares.
  public subscript<Media>(
    dynamicMember port: KeyPath<N.Ports, OutputPort<Media>>
  ) -> OutputEnd<Media> {
    OutputEnd(reference: PortReference(name, N.ports[keyPath: port].declaration.name))
  }

  /// An input that the node's type declares.
  public subscript<Media>(
    dynamicMember port: KeyPath<N.Ports, InputPort<Media>>
  ) -> InputEnd<Media> {
    InputEnd(reference: PortReference(name, N.ports[keyPath: port].declaration.name))
  }

  /// An output that this very node has, such as a stream of its file, by name. Whether there is
  /// one, and of that media, is checked when the graph is built.
  public func port<Media>(_ port: String, as media: Media.Type) -> OutputEnd<Media> {
    OutputEnd(reference: PortReference(name, port))
  }

  /// An input that this very node has, by name.
  public func port<Media>(_ port: String, as media: Media.Type) -> InputEnd<Media> {
    InputEnd(reference: PortReference(name, port))
  }
}

/// Where a wire begins: an output of a node that is being composed.
public struct OutputEnd<Media: MediaTag>: Hashable, Sendable {
  /// The node and the port.
  public let reference: PortReference
}

/// Where a wire ends: an input of a node that is being composed.
public struct InputEnd<Media: MediaTag>: Hashable, Sendable {
  /// The node and the port.
  public let reference: PortReference

  /// One of a repeatable input's instances, counted from 1: `sink.audio[2]` is `audio.2`.
  public subscript(number: Int) -> InputEnd<Media> {
    guard number != 1 else { return self }
    return InputEnd(reference: PortReference(reference.node, "\(reference.port).\(number)"))
  }
}

/// The graph of another file within one that is being composed, with its open ports by their names.
public struct IncludedGraph: Hashable, Sendable {
  /// Its name in the graph, which its nodes' names begin with.
  public let name: String

  /// An open output. Whether there is one is checked when the graph is built.
  public func output(_ port: String) -> OutputEnd<AnyMedia> {
    OutputEnd(reference: PortReference(name, port))
  }

  /// An open input. Whether there is one is checked when the graph is built.
  public func input(_ port: String) -> InputEnd<AnyMedia> {
    InputEnd(reference: PortReference(name, port))
  }
}
