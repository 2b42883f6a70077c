/// Which way samples pass through a port.
public enum PortDirection: String, Hashable, Sendable, Codable { case input, output }

/// What is known of a port before anything runs: its name, what it carries, and how many it is.
public struct PortDeclaration: Hashable, Sendable, Codable {
  /// The name in graph files: `video`, `audio`, `in`, `out`.
  public var name: String
  /// Which way samples pass.
  public var direction: PortDirection
  /// What the port takes or gives.
  public var format: FormatConstraint
  /// Whether the port may be wired more than once, as `audio`, `audio.2`, `audio.3`, ….
  public var isRepeatable: Bool
  /// Whether a graph that doesn't wire the port is wrong.
  public var isRequired: Bool
  /// The input whose format this output repeats, where it repeats one: fields that
  /// ``format`` leaves open are those of that input.
  public var follows: String?
  /// One line of help.
  public var help: String

  /// A port.
  public init(
    _ name: String, _ direction: PortDirection, _ format: FormatConstraint,
    isRepeatable: Bool = false, isRequired: Bool = true, follows: String? = nil, help: String
  ) {
    self.name = name
    self.direction = direction
    self.format = format
    self.isRepeatable = isRepeatable
    self.isRequired = isRequired
    self.follows = follows
    self.help = help
  }
}

/// An input of a node type, typed by what it carries.
///
/// Like all ports it can only be made of a `MediaTag`. Its type doesn't say so: the runtime would
/// search the whole program for the conformance of each when it first meets a node.
public struct InputPort<Media>: Sendable, PortDeclaring {
  /// What the port is.
  public let declaration: PortDeclaration

  /// Declares an input.
  public init(
    _ name: String = "in", _ format: FormatConstraint = FormatConstraint(Media.kind),
    isRepeatable: Bool = false, isRequired: Bool = true, help: String
  ) where Media: MediaTag {
    declaration = PortDeclaration(
      name, .input, format, isRepeatable: isRepeatable, isRequired: isRequired, help: help)
  }
}

/// An output of a node type, typed by what it carries.
public struct OutputPort<Media>: Sendable, PortDeclaring {
  /// What the port is.
  public let declaration: PortDeclaration

  /// Declares an output. An output is never required to be wired where the node has another.
  public init(
    _ name: String = "out", _ format: FormatConstraint = FormatConstraint(Media.kind),
    isRequired: Bool = true, follows: String? = nil, help: String
  ) where Media: MediaTag {
    declaration = PortDeclaration(
      name, .output, format, isRequired: isRequired, follows: follows, help: help)
  }
}

/// A typed port that knows its declaration.
public protocol PortDeclaring {
  /// What the port is.
  var declaration: PortDeclaration { get }
}

/// The ports of a node type: a struct whose stored properties are ``InputPort`` and ``OutputPort``.
public protocol PortSet: Sendable {
  /// The declared ports, in order of declaration.
  var declarations: [PortDeclaration] { get }
}

extension PortSet {
  /// Reads the ports from the struct's own properties, so that each is declared just once.
  public var declarations: [PortDeclaration] {
    Mirror(reflecting: self).children.compactMap { ($0.value as? any PortDeclaring)?.declaration }
  }
}

/// One input, one output of the same raw format: the ports of an effect.
public struct EffectPorts<Media>: PortSet {
  /// What comes in.
  public let input: InputPort<Media>
  /// What goes out, in the format of what comes in.
  public let output: OutputPort<Media>
  /// Both.
  public var declarations: [PortDeclaration] { [input.declaration, output.declaration] }

  /// Ports that accept a format and hand it on.
  public init(_ format: FormatConstraint = FormatConstraint(Media.kind)) where Media: MediaTag {
    input = InputPort("in", format, help: "What the effect works on.")
    output = OutputPort("out", format, follows: "in", help: "The result, in the input's format.")
  }
}

/// One input and one output of different kinds: the ports of an encoder or a decoder.
public struct TransformPorts<In, Out>: PortSet {
  /// What comes in.
  public let input: InputPort<In>
  /// What goes out.
  public let output: OutputPort<Out>
  /// Both.
  public var declarations: [PortDeclaration] { [input.declaration, output.declaration] }

  /// Ports with a constraint each.
  public init(_ input: FormatConstraint, _ output: FormatConstraint)
  where In: MediaTag, Out: MediaTag {
    self.input = InputPort("in", input, help: "What goes in.")
    self.output = OutputPort("out", output, help: "What comes out.")
  }
}

/// A single output: the ports of a source.
public struct SourcePorts<Media>: PortSet {
  /// What the source makes.
  public let output: OutputPort<Media>
  /// It alone.
  public var declarations: [PortDeclaration] { [output.declaration] }

  /// The port of a source.
  public init(_ format: FormatConstraint = FormatConstraint(Media.kind), help: String)
  where Media: MediaTag {
    output = OutputPort("out", format, help: help)
  }
}

/// A single input: the ports of a sink.
public struct SinkPorts<Media>: PortSet {
  /// What the sink takes.
  public let input: InputPort<Media>
  /// It alone.
  public var declarations: [PortDeclaration] { [input.declaration] }

  /// The port of a sink.
  public init(_ format: FormatConstraint = FormatConstraint(Media.kind), help: String)
  where Media: MediaTag {
    input = InputPort("in", format, help: help)
  }
}
