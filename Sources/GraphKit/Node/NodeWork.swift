/// What does a node's work, with the node as that.
///
/// The protocols that refine ``Node`` answer for their nodes; a node that adopts several of them,
/// and is one or the other by its parameters, answers itself. A cast would ask the runtime, which
/// searches the whole program each time it meets a type.
public enum NodeWork: Sendable {
  /// Nothing: the node is only in a graph.
  case none
  /// Its own functions, sample by sample.
  case swift(any SwiftNode)
  /// One function of colours, which may be joined with others.
  case pointEffect(any PointEffect)
  /// A summary of what comes.
  case reducer(any ReducerNode)
  /// A summary that may be made in pieces.
  case associativeReducer(any AssociativeReducerNode)
  /// Its own functions, which make samples.
  case source(any SourceNode)
  /// The same, whose samples may be had in pieces.
  case piecewiseSource(any PiecewiseSource)
  /// GStreamer elements.
  case elements(any ElementNode)
  /// The program, which hands samples in.
  case entry(any EntryNode)
  /// The program, which takes samples.
  case exit(any ExitNode)
  /// The program, which sees the newest frame.
  case preview(any PreviewNode)
  /// Another node of the same ports, which takes this one's place in the plan, now that what there
  /// is has been found out: Swift that reads a file of PCM, say, where no element is needed.
  case replaced(by: any Node)
}

extension Node {
  public var work: NodeWork { .none }
}

extension SwiftNode {
  public var work: NodeWork { .swift(self) }
}

extension PointEffect {
  public var work: NodeWork { .pointEffect(self) }
}

extension ReducerNode {
  public var work: NodeWork { .reducer(self) }
}

extension AssociativeReducerNode {
  public var work: NodeWork { .associativeReducer(self) }
}

extension SourceNode {
  public var work: NodeWork { .source(self) }
}

extension PiecewiseSource {
  public var work: NodeWork { .piecewiseSource(self) }
}

extension ElementNode {
  public var work: NodeWork { .elements(self) }
}

extension EntryNode {
  public var work: NodeWork { .entry(self) }
}

extension ExitNode {
  public var work: NodeWork { .exit(self) }
}

extension PreviewNode {
  public var work: NodeWork { .preview(self) }
}

extension NodeWork {
  /// The node as one of Swift, of whichever kind.
  package var swiftNode: (any SwiftNode)? {
    switch self {
    case .swift(let node): node
    case .pointEffect(let node): node
    case .reducer(let node): node
    case .associativeReducer(let node): node
    default: nil
    }
  }

  /// The node as a function of colours.
  package var pointEffect: (any PointEffect)? {
    if case .pointEffect(let node) = self { node } else { nil }
  }

  /// The node as one that makes a summary.
  package var reducerNode: (any ReducerNode)? {
    switch self {
    case .reducer(let node): node
    case .associativeReducer(let node): node
    default: nil
    }
  }

  /// The node as one whose summary may be made in pieces.
  package var associativeReducer: (any AssociativeReducerNode)? {
    if case .associativeReducer(let node) = self { node } else { nil }
  }

  /// The node as one that makes samples.
  package var sourceNode: (any SourceNode)? {
    switch self {
    case .source(let node): node
    case .piecewiseSource(let node): node
    default: nil
    }
  }

  /// The node as a source of pieces.
  package var piecewiseSource: (any PiecewiseSource)? {
    if case .piecewiseSource(let node) = self { node } else { nil }
  }

  /// The node as one of elements.
  package var elementNode: (any ElementNode)? {
    if case .elements(let node) = self { node } else { nil }
  }

  /// The node as the program's way in.
  package var entryNode: (any EntryNode)? {
    if case .entry(let node) = self { node } else { nil }
  }

  /// The node as the program's way out.
  package var exitNode: (any ExitNode)? {
    switch self {
    case .exit(let node): node
    case .preview(let node): node
    default: nil
    }
  }
}
