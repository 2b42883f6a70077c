/// What is wrong with a graph, as facts. `Wording.swift` has the words.
public enum Problem: Hashable, Sendable {
  /// The text isn't JSON.
  case syntax(SyntaxProblem)
  /// The JSON isn't a graph file.
  case document(DocumentProblem)
  /// A node's type or one of its parameters doesn't hold.
  case node(NodeProblem)
  /// A wire names what isn't there, or not clearly.
  case wire(WireProblem)
  /// The nodes don't make a graph together.
  case fit(FitProblem)
}

/// Why a JSON value isn't a graph file.
public enum DocumentProblem: Hashable, Sendable {
  /// A part of the file is of the wrong JSON type; `part` is as a sentence names it.
  case wrongType(part: String, found: String, expected: String)
  case unknownKey(String, known: [String])
  case missingType(node: String)
  case badName(String)
  case shortWire
  case tooMany(String, limit: Int)
  case badEnd(String)
  case unknownOverride(String, known: [String])
  case badOverride(String, text: String, expected: String)
  /// A `${name}` without a value; the parameter may be declared, without a default, or not.
  case unsetParameter(String, isDeclared: Bool, known: [String])
  case badReference(String)
  /// A `${name}` within a text whose value is a list or an object.
  case notText(String, found: String)
  /// A `${name.part}` of a value without such a part.
  case unknownPart(String, part: String, known: [String])
  /// A `${name}` that makes a text, or all of a graph's texts together, too long.
  case longText(parameter: String, limit: Int, isTotal: Bool)
  case unusedParameter(String)
  /// Steps of a graph that is a node of another, whose own steps hold.
  case innerSteps
}

/// Why a node isn't one.
public enum NodeProblem: Hashable, Sendable {
  case unknownType(String, known: [String])
  case unknownParameter(String, type: String, known: [String])
  case missingParameter(String, type: String, help: String)
  case wrongType(String, found: String, expected: String)
  /// What looks like keyframes, for a parameter that takes none.
  case noKeyframes(String, expected: String)
  case outOfRange(String, value: JSONValue, low: JSONValue, high: JSONValue, unit: String?)
  case notAChoice(String, type: String, value: String, choices: [String])
  /// Text with a NUL in it.
  case nulCharacter(String)
  case notLive(String, type: String, live: [String])
  /// What the node itself says of its parameters, or of the machine.
  case stated(NodeError)
}

/// Why a wire doesn't say what it joins.
public enum WireProblem: Hashable, Sendable {
  case unknownNode(String, known: [String])
  case unknownPort(PortReference, ports: [String])
  /// Others of its type have the output, such as files with audio.
  case absentPort(PortReference, ports: [String])
  case wrongDirection(PortReference, is: PortDirection, others: [String])
  case noPort(node: String, PortDirection)
  case ambiguous(node: String, PortDirection, ports: [String])
  case noFit(node: String, PortDirection, kind: MediaKind, ports: [String])
  case inputTaken(PortReference, by: PortReference, next: String?)
  case selfWire(node: String)
  /// Two nodes, each made for the items of a list, of which one has more than the other.
  case unequalLists(from: String, Int, to: String, Int)
}

/// Why nodes don't make a graph together.
public enum FitProblem: Hashable, Sendable {
  case noNodes
  /// The graph has ports of its own, and so is to be a node of another.
  case openGraph(ports: [String])
  case duplicateNode(String)
  case cycle([String])
  case needsEncoder(WireFact, encoders: [String])
  case otherMedium(WireFact)
  case formatConflict(WireFact, FormatConflict, encoders: [String])
  case unwiredNode(String)
  case unwiredInput(PortReference, MediaKind)
  case unwiredOutputs(node: String, ports: [String])
  /// A node that needs the whole of its input, and the source that it comes from, which is live or
  /// repeats itself without end.
  case endless(node: String, source: String, isLive: Bool)
  /// An encoder that works in two passes, and the source whose samples come once.
  case comesOnce(node: String, source: String, SecondPassObstacle)
  /// A node that needs the whole of its input, the way that it stands on, and one beside that which
  /// parts and joins with it.
  case heldBack(node: String, way: String, beside: String)
  /// A node that takes its inputs in turn, an input that isn't its first, and the live source that
  /// would have to wait for it.
  case liveTurn(PortReference, source: String)
  /// Two of its inputs of different turns, and what feeds both.
  case sharedTurns(PortReference, PortReference, source: String)
  /// An encoder, and the file with a single picture that it encodes.
  case still(node: String, source: String)
  /// A part of a file's stream that goes into a node as it is, and not to a decoder.
  case copiedRange(PortReference, to: String)
  /// Such a part that a node takes, and something else that it takes beside that.
  case mixedRange(PortReference, to: String, with: PortReference, MediaKind)
  /// Such a part that a node takes, and another node that the stream goes to.
  case sharedRange(PortReference, to: String, and: String)
  /// Texts of a file that come to a sink at their times, and a node that changes the times of what
  /// comes there with them.
  case movedText(PortReference, by: String, in: String)
  /// A file whose chapters a sink doesn't get, and the node that they don't get over, which changes times
  /// or may do so.
  case lostChapters(of: String, by: String, in: String, isKnown: Bool)
  /// Packets of a file that another process reads, and a node that would look into them.
  case strangersPackets(PortReference, to: String)
  case samePath([String], nodes: [String])
  case ownSource(String, reader: String, readPath: String, writer: String)
  /// Nodes that serve other programs at a port of the same address.
  case sameAddress(port: UInt16, nodes: [String])
}

/// Both ports of a wire and what they carry.
public struct WireFact: Hashable, Sendable {
  /// The output.
  public var from: PortReference
  /// What it gives.
  public var gives: MediaKind
  /// The input.
  public var to: PortReference
  /// What it takes.
  public var takes: MediaKind
}
