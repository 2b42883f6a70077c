/// The JSON Schema (draft 2020-12) of graph files, made from the node types' own declarations, for
/// editors to complete and underline by.
public enum GraphSchema {
  /// The schema of the graphs that a catalog can check.
  public static func json(for catalog: Catalog) -> String {
    JSONWriter.text(of: tree(for: catalog), breaking: ["$defs", "properties", "allOf"])
  }

  /// The schema as a tree.
  static func tree(for catalog: Catalog) -> JSONTree {
    let types = catalog.all
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A GraphKit graph",
      "type": "object",
      "required": ["nodes", "wires"],
      "additionalProperties": false,
      "properties": [
        "$schema": ["description": "This schema's path.", "type": "string"],
        "description": [
          "description": "What the graph is for; a list has one item a line.",
          "type": ["string", "array"],
          "items": ["type": "string"],
        ],
        "parameters": [
          "description": "Values for ${name}, which --set replaces; null where one must be set.",
          "type": "object",
          "propertyNames": ["pattern": "^[A-Za-z0-9_-]+$"],
          "additionalProperties": ["type": ["string", "number", "boolean", "array", "null"]],
        ],
        "inputs": openPorts("inputs"),
        "outputs": openPorts("outputs"),
        "whenSlow": [
          "description": "What a live graph that can't keep up gives up, step by step.",
          "type": "array", "maxItems": JSONTree(number: Double(DocumentReader.maximumSteps)),
          "items": ["$ref": "#/$defs/step"],
        ],
        "nodes": [
          "description": "The nodes by name.",
          "type": "object",
          "minProperties": 1,
          "propertyNames": ["pattern": "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$"],
          "additionalProperties": ["$ref": "#/$defs/node"],
        ],
        "wires": [
          "description": "Rows of nodes, each wired to the next: node[.port] -> node[.port].",
          "type": "array",
          "items": ["type": "string", "pattern": .init(.string(wirePattern))],
        ],
      ],
      "$defs": JSONTree(.object(definitions(types))),
    ]
  }

  private static let wirePattern: String = {
    let end = "[ \\t]*\(endPattern)[ \\t]*"
    return "^\(end)(->\(end))+$"
  }()

  private static let endPattern = "[A-Za-z0-9_/-]+(\\.[A-Za-z0-9_-]+)*"

  private static func openPorts(_ direction: String) -> JSONTree {
    let help = "The \(direction) that it has as a node of another graph: \"port\": \"node.port\"."
    return [
      "description": JSONTree(.string(help)),
      "type": "object",
      "propertyNames": ["pattern": "^[A-Za-z0-9_-]+$"],
      "additionalProperties": [
        "type": "string", "pattern": JSONTree(.string("^\(endPattern)$")),
      ],
    ]
  }

  private static func definitions(_ types: [NodeType]) -> [JSONTree.Member] {
    [
      member("reference", reference), member("keyframes", keyframes), member("step", step),
      member("node", node(types)), member("node.graph", graph),
    ]
      + types.map { member("node.\($0.name)", schema(of: $0)) }
  }

  /// A node that is a graph of another file: its keys are that file's parameters.
  private static var graph: JSONTree {
    [
      "description": "The graph of another file, with its open ports.",
      "type": "object",
      "required": ["type", "path"],
      "properties": JSONTree(
        .object(
          [
            member("type", ["const": JSONTree(.string(GraphLevel.type))]),
            member(
              "path",
              [
                "description": "The graph's file, from this file's folder on.", "type": "string",
                "minLength": 1,
              ]),
          ] + common)),
    ]
  }

  /// What each node may have besides its type's parameters.
  private static var common: [JSONTree.Member] {
    [
      member(
        NodeKey.foreach,
        [
          "description": "A node is made for each item, which ${item} stands for.",
          "anyOf": [["type": "array"], ["$ref": "#/$defs/reference"]],
        ]),
      member(
        NodeKey.optional,
        [
          "description": "Whether what is wired to a port that it turns out to lack is left out.",
          "anyOf": [["type": "boolean"], ["$ref": "#/$defs/reference"]],
        ]),
    ]
  }

  private static var keyframes: JSONTree {
    [
      "description": "Values over time: [seconds, value] or [seconds, value, easing].",
      "type": "array", "minItems": 1,
      "items": [
        "type": "array", "minItems": 2, "maxItems": 3,
        "prefixItems": [
          ["type": ["number", "string"]], true,
          ["enum": JSONTree(.array(Keyframe.Easing.allCases.map { .init(.string($0.rawValue)) }))],
        ],
      ],
    ]
  }

  private static var step: JSONTree {
    let words = EconomyStep.words.map { JSONTree(.string($0.word)) }
    let deeds: [(key: String, schema: JSONTree)] = [
      (EconomyStep.Key.pause, ["description": "The preview keeps its frame.", "const": true]),
      (
        EconomyStep.Key.set,
        [
          "description": "Values of live parameters of the node.", "type": "object",
          "minProperties": 1,
        ]
      ),
      (
        EconomyStep.Key.keepEvery,
        [
          "description": "Of the live source's frames one in so many goes on.",
          "anyOf": [
            [
              "type": "integer", "minimum": JSONTree(number: Double(EconomyStep.shares.lowerBound)),
              "maximum": JSONTree(number: Double(EconomyStep.shares.upperBound)),
            ], ["$ref": "#/$defs/reference"],
          ],
        ]
      ),
    ]
    let objects = deeds.map { deed -> JSONTree in
      let key = JSONTree(.string(deed.key))
      return [
        "type": "object", "required": ["node", key], "additionalProperties": false,
        "properties": JSONTree(
          members: [
            ("node", ["description": "The node's name.", "type": "string"]),
            (deed.key, deed.schema),
          ]),
      ]
    }
    return [
      "description": "A step by which a live graph gives up quality.",
      "anyOf": JSONTree(
        .array([["enum": JSONTree(.array(words))], ["$ref": "#/$defs/reference"]] + objects)),
    ]
  }

  private static var reference: JSONTree {
    [
      "description": "The value of one of the graph's parameters.",
      "type": "string", "pattern": "^\\$\\{[A-Za-z0-9_.-]+\\}$",
    ]
  }

  /// A node: its type is one of the catalog's, and the rest is as that type has it.
  private static func node(_ types: [NodeType]) -> JSONTree {
    let names = [GraphLevel.type] + types.map(\.name)
    let cases = names.map { name -> JSONTree in
      [
        "if": ["properties": ["type": ["const": JSONTree(.string(name))]], "required": ["type"]],
        "then": ["$ref": JSONTree(.string("#/$defs/node.\(name)"))],
      ]
    }
    let choices = JSONTree(.array(names.map { JSONTree(.string($0)) }))
    return [
      "type": "object", "required": ["type"],
      "properties": ["type": ["description": "The node type.", "enum": choices]],
      "allOf": JSONTree(.array(cases)),
    ]
  }

  private static func schema(of type: NodeType) -> JSONTree {
    let required = type.parameters.filter(\.isRequired).map { JSONTree(.string($0.name)) }
    let properties = type.parameters.map { member($0.name, schema(of: $0)) }
    return [
      "description": JSONTree(.string(type.help)),
      "type": "object",
      "required": JSONTree(.array(["type"] + required)),
      "additionalProperties": false,
      "properties": JSONTree(
        .object([member("type", ["const": JSONTree(.string(type.name))])] + properties + common)),
    ]
  }

  private static func schema(of parameter: NodeType.ParameterInfo) -> JSONTree {
    let unit = parameter.unit.map { " (\($0))" } ?? ""
    var members = [member("description", JSONTree(.string(parameter.help + unit)))]
    let kind = parameter.kind.members(isRequired: parameter.isRequired, unit: parameter.unit)
    members +=
      parameter.isLive && parameter.kind.hasKeyframes
      ? [member("anyOf", [JSONTree(.object(kind)), ["$ref": "#/$defs/keyframes"]])] : kind
    if let value = parameter.defaultValue {
      members.append(member("default", JSONTree(value: value)))
    }
    return JSONTree(.object(members))
  }
}

private func member(_ key: String, _ value: JSONTree) -> JSONTree.Member {
  JSONTree.Member(key: Located(key), value: value)
}

extension ParameterKind {
  /// What a schema says of such a value. Text takes `${name}` anyhow.
  fileprivate func members(isRequired: Bool, unit: String? = nil) -> [JSONTree.Member] {
    switch self {
    case .string: [member("type", "string")]
    case .path: [member("type", "string")] + (isRequired ? [member("minLength", 1)] : [])
    case .bool: orReference(["type": "boolean"])
    case .integer: orReference(range("integer"), unit: unit)
    case .number: orReference(range("number"), unit: unit)
    case .numberOrWord(_, let word):
      [
        member(
          "anyOf",
          [
            range("number"), ["enum": [JSONTree(.string(word))]], ["$ref": "#/$defs/reference"],
          ])
      ]
    case .choice(let words):
      orReference(["enum": JSONTree(.array(words.map { JSONTree(.string($0)) }))], inText: true)
    case .rational:
      [
        member(
          "anyOf",
          [
            ["type": "number", "exclusiveMinimum": 0],
            ["type": "string", "pattern": "^0*[1-9][0-9]*(/0*[1-9][0-9]*)?$"],
            ["type": "string", "pattern": "\\$\\{[A-Za-z0-9_.-]+\\}"],
          ])
      ]
    case .object: [member("type", "object")]
    case .list(let item, let limit):
      [
        member("type", "array"), member("maxItems", JSONTree(.number(Double(limit)))),
        member("items", JSONTree(.object(item.members(isRequired: true, unit: unit)))),
      ]
    case .tuple(let item, let count):
      [member("minItems", JSONTree(.number(Double(count))))]
        + ParameterKind.list(item, limit: count).members(isRequired: true, unit: unit)
    case .record(let fields): record(fields)
    }
  }

  private func record(_ fields: [RecordField]) -> [JSONTree.Member] {
    let properties = fields.map { field in
      let unit = field.unit.map { " (\($0))" } ?? ""
      let help = member("description", JSONTree(.string(field.help + unit)))
      let schema = [help] + field.kind.members(isRequired: field.isRequired, unit: field.unit)
      return member(field.name, JSONTree(.object(schema)))
    }
    let required = fields.filter(\.isRequired).map { JSONTree(.string($0.name)) }
    return [
      member("type", "object"), member("properties", JSONTree(.object(properties))),
      member("required", JSONTree(.array(required))),
      member("additionalProperties", JSONTree(.bool(false))),
    ]
  }

  private func range(_ type: String) -> JSONTree {
    let bounds = bounds ?? (-.infinity, .infinity)
    var members = [member("type", JSONTree(.string(type)))]
    if bounds.low.isFinite { members.append(member("minimum", JSONTree(.number(bounds.low)))) }
    if bounds.high.isFinite { members.append(member("maximum", JSONTree(.number(bounds.high)))) }
    return JSONTree(.object(members))
  }

  private func orReference(
    _ schema: JSONTree, inText: Bool = false, unit: String? = nil
  ) -> [JSONTree.Member] {
    let reference: JSONTree =
      inText
      ? ["type": "string", "pattern": "\\$\\{[A-Za-z0-9_.-]+\\}"]
      : ["$ref": "#/$defs/reference"]
    guard let example = unit.flatMap({ WrittenQuantity.example(of: $0) }) else {
      return [member("anyOf", [schema, reference])]
    }
    let written: JSONTree = [
      "description": JSONTree(.string("It may be \(example).")), "type": "string",
      "pattern": "^[0-9]",
    ]
    return [member("anyOf", [schema, written, reference])]
  }
}
