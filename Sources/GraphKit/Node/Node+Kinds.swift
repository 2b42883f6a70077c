extension Node {
  public var swiftNode: (any SwiftNode)? { nil }
  public var sourceNode: (any SourceNode)? { nil }
  public var pointEffect: (any PointEffect)? { nil }
  public var elementNode: (any ElementNode)? { nil }
  public var entryNode: (any EntryNode)? { nil }
  public var exitNode: (any ExitNode)? { nil }
  public var finishingNode: (any FinishingNode)? { nil }
  public var limitedNode: (any LimitedNode)? { nil }
  public var piecewiseSource: (any PiecewiseSource)? { nil }
  public var associativeReducer: (any AssociativeReducerNode)? { nil }
  public var reducerNode: (any ReducerNode)? { nil }
  public var streamSource: (any StreamSource)? { nil }
  public var reshapingNode: (any ReshapingNode)? { nil }
  public var fileNamingNode: (any FileNamingNode)? { nil }
}

extension FileNamingNode {
  public var fileNamingNode: (any FileNamingNode)? { self }
}

extension ReshapingNode {
  public var reshapingNode: (any ReshapingNode)? { self }
}

extension ReducerNode {
  public var reducerNode: (any ReducerNode)? { self }
}

extension StreamSource {
  public var streamSource: (any StreamSource)? { self }
}

extension SwiftNode {
  public var swiftNode: (any SwiftNode)? { self }
}

extension PointEffect {
  public var pointEffect: (any PointEffect)? { self }
}

extension SourceNode {
  public var sourceNode: (any SourceNode)? { self }
}

extension ElementNode {
  public var elementNode: (any ElementNode)? { self }
}

extension EntryNode {
  public var entryNode: (any EntryNode)? { self }
}

extension ExitNode {
  public var exitNode: (any ExitNode)? { self }
}

extension FinishingNode {
  public var finishingNode: (any FinishingNode)? { self }
}

extension LimitedNode {
  public var limitedNode: (any LimitedNode)? { self }
}

extension PiecewiseSource {
  public var piecewiseSource: (any PiecewiseSource)? { self }
}

extension AssociativeReducerNode {
  public var associativeReducer: (any AssociativeReducerNode)? { self }
}
