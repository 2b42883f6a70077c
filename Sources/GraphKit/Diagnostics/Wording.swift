/// What a problem says to a person: what is wrong, and what to do about it.
struct Wording {
  let message: String
  let remedy: String

  init(_ message: String, _ remedy: String) {
    self.message = message
    self.remedy = remedy
  }
}

extension Problem {
  var wording: Wording {
    switch self {
    case .syntax(let problem): problem.wording
    case .document(let problem): problem.wording
    case .node(let problem): problem.wording
    case .wire(let problem): problem.wording
    case .fit(let problem): problem.wording
    }
  }
}

extension SyntaxProblem {
  var wording: Wording {
    switch self {
    case .empty: Wording("the file is empty", "write a graph: `nodes` and `wires`")
    case .tooLarge(let bytes, let limit):
      Wording("the file has \(bytes) bytes", "a graph file may have up to \(limit)")
    case .byteOrderMark:
      Wording("the file starts with a byte order mark", "save it as UTF-8 without one")
    case .otherEncoding: Wording("the file isn't UTF-8 but UTF-16", "save it as UTF-8")
    case .invalidUTF8(let byte):
      Wording("the byte 0x\(hexadecimal(byte)) isn't UTF-8 here", "save the file as UTF-8")
    case .endsEarly(let expected):
      Wording("the file ends too early", "\(expected) is missing here")
    case .unexpected("'", let expected):
      Wording("`'` where \(expected) should be", "write text in double quotes")
    case .unexpected(let found, let expected):
      Wording("`\(found)` where \(expected) should be", "write \(expected) here")
    case .trailingComma: Wording("a comma with nothing after it", "remove the comma")
    case .trailingContent(let found):
      Wording("`\(found)` after the end of the graph", "remove what follows the last `}`")
    case .comment: Wording("JSON has no comments", "remove the comment")
    case .controlCharacter(let byte):
      Wording(
        "a control character (0x\(hexadecimal(byte))) in a string",
        "write it as `\\u00\(hexadecimal(byte))`, or close the string before it")
    case .badEscape(let text):
      Wording("`\(text)` is no escape", "write `\\\\` for a backslash")
    case .loneSurrogate(let text):
      Wording("`\(text)` is half a character", "write the character itself, or both halves")
    case .badNumber(let text):
      Wording("`\(text)` is no number", "write digits on both sides of the point and after the `e`")
    case .leadingZero(let text):
      Wording("`\(text)` starts with a zero", "remove the zeros at its start")
    case .notANumber(let text): Wording("JSON has no `\(text)`", "write a number")
    case .numberTooLarge(let text):
      Wording("`\(text)` is too large to be held exactly", "write a smaller number, or text")
    case .tooDeep(let limit):
      Wording("nested more than \(limit) deep", "a graph needs four levels; remove brackets")
    case .duplicateKey(let key, let first):
      Wording(
        "`\(excerpt(key))` is already given in line \(first.line), column \(first.column)",
        "remove or rename one of the two")
    }
  }
}

extension DocumentProblem {
  var wording: Wording {
    switch self {
    case .wrongType(let part, let found, let expected):
      Wording("\(part) is \(found)", "write \(expected)")
    case .unknownKey(let key, let known):
      Wording("`\(excerpt(key))` is no part of a graph file", instead(of: key, known))
    case .missingType(let node):
      Wording("`\(node)` has no type", "add `\"type\": \"…\"`; `graphctl nodes` lists the types")
    case .badName(let name):
      Wording(
        "`\(excerpt(name))` can't be a name", "use letters a to z, digits, `_` and `-`")
    case .tooMany("steps", let limit):
      Wording("the graph has more than \(limit) steps", "leave some out")
    case .tooMany(let parts, let limit):
      Wording("the graph has more than \(limit) \(parts)", "split it into several graphs")
    case .shortWire:
      Wording("the wire joins nothing", "write `from -> to`")
    case .badEnd(""):
      Wording("the wire has an end without a node", "write `node` or `node.port` here")
    case .badEnd(let text):
      Wording("`\(excerpt(text))` is no end of a wire", "write `node` or `node.port`")
    case .unknownOverride(let name, let known):
      Wording("the graph has no parameter `\(excerpt(name))` to set", instead(of: name, known))
    case .badOverride(let name, let text, let expected):
      Wording("`\(excerpt(text))` is no value for `\(name)`", "set it to \(expected)")
    case .unsetParameter(let name, true, _):
      Wording("the parameter `\(name)` has no value", "set one: `--set \(name)=…`")
    case .unsetParameter(let name, false, let known):
      Wording(
        "there is no parameter `\(name)`",
        suggestion(for: name, known) ?? "add it to `parameters`, or `--set \(name)=…`")
    case .badReference(let text):
      Wording("`\(excerpt(text))` names no parameter", "write `${name}`, or `$${` for a plain `${`")
    case .notText(let name, let found):
      Wording(
        "`${\(name)}` is \(found), which can't stand within a text",
        "write `${\(name)}` alone, or a part of it: `${\(name).…}`")
    case .unknownPart(let name, let part, let known):
      Wording("`\(name)` has no `\(excerpt(part))`", instead(of: part, known))
    case .longText(let name, let limit, let isTotal):
      Wording(
        "`${\(name)}` makes the \(isTotal ? "graph's texts together" : "text") longer than "
          + "\(limit) bytes",
        "give `\(name)` a shorter value, or use it less often")
    case .unusedParameter(let name):
      Wording("nothing uses the parameter `\(name)`", "write `${\(name)}` somewhere, or remove it")
    case .innerSteps:
      Wording(
        "`whenSlow` has no effect in a graph that is a node of another",
        "write it in the file that is run")
    }
  }
}

extension NodeProblem {
  var wording: Wording {
    switch self {
    case .unknownType(let type, let known):
      Wording(
        "there is no node type `\(excerpt(type))`",
        suggestion(for: type, known) ?? "`graphctl nodes` lists the types")
    case .unknownParameter(let key, let type, let known):
      Wording("\(type) has no parameter `\(excerpt(key))`", instead(of: key, known))
    case .missingParameter(let key, let type, let help):
      Wording("\(type) needs `\(key)`", "add `\"\(key)\": …`: \(uncapitalized(help))")
    case .wrongType(let key, let found, let expected):
      Wording("`\(key)` is \(found)", "write \(expected)")
    case .noKeyframes(let key, let expected):
      Wording("`\(key)` takes no keyframes", "write its value alone: \(expected)")
    case .outOfRange(let key, let value, let low, let high, let unit):
      Wording(
        "`\(key)` is \(quantity(value, unit))",
        "it goes from \(plain(low)) to \(quantity(high, unit))")
    case .notAChoice(let key, let type, let value, let choices):
      Wording(
        "`\(excerpt(value))` is no \(key) of \(type)",
        suggestion(for: value, choices) ?? "write \(anyOf(choices))")
    case .nulCharacter(let key):
      Wording(
        "`\(key)` holds the character U+0000, which no text or path can have", "remove it")
    case .notLive(let key, let type, let live):
      Wording(
        "`\(key)` can't change while the graph runs",
        live.isEmpty ? "\(type) has no live parameter" : "of \(type) \(list(live)) can")
    case .stated(let error): Wording(error.message, error.remedy)
    }
  }
}

extension WireProblem {
  var wording: Wording {
    switch self {
    case .unknownNode(let name, let known):
      Wording(
        "there is no node `\(excerpt(name))`", instead(of: name, known, has: "the graph"))
    case .unknownPort(let port, let ports):
      Wording("`\(port.node)` has no port `\(excerpt(port.port))`", instead(of: port.port, ports))
    case .absentPort(let port, let ports):
      Wording(
        "`\(port.node)` has no `\(excerpt(port.port))`",
        "it has \(list(ports)); leave out the wire, or give `\(port.node)` `\"optional\": true`, so "
          + "that what it lacks is left out")
    case .wrongDirection(let port, .output, let inputs):
      Wording("`\(port)` is an output", "a wire ends at an input\(having(inputs))")
    case .wrongDirection(let port, .input, let outputs):
      Wording("`\(port)` is an input", "a wire starts at an output\(having(outputs))")
    case .noPort(let node, let direction):
      Wording("`\(node)` has no \(direction)", "it can only be the \(direction.opposite.end)")
    case .ambiguous(let node, let direction, let ports):
      Wording(
        "several \(direction)s of `\(node)` fit",
        "name one: \(anyOf(ports.map { "\(node).\($0)" }))")
    case .noFit(let node, .input, let kind, let ports):
      Wording("no free input of `\(node)` takes \(kind.spoken)", "it has \(list(ports))")
    case .noFit(let node, .output, let kind, let ports):
      Wording("no output of `\(node)` gives \(kind.spoken)", "it has \(list(ports))")
    case .inputTaken(let port, let other, let next?):
      Wording("`\(port)` is already fed by `\(other)`", "write `\(port.node).\(next)`")
    case .inputTaken(let port, let other, nil):
      Wording("`\(port)` is already fed by `\(other)`", "an input takes one wire; remove one")
    case .selfWire(let node):
      Wording("`\(node)` is wired to itself", "wire it to another node")
    case .unequalLists(let from, let outputs, let to, let inputs):
      Wording(
        "there are \(outputs) of `\(from)` and \(inputs) of `\(to)`",
        "give both the same list in `foreach`")
    }
  }
}

extension FitProblem {
  var wording: Wording {
    switch self {
    case .noNodes: Wording("the graph has no nodes", "add a source and a sink to `nodes`")
    case .openGraph(let ports):
      Wording(
        "the graph has open ports: \(list(ports))",
        "name its file as the `path` of a `graph` node of another graph")
    case .duplicateNode(let name):
      Wording("two nodes are called `\(name)`", "rename one of the two")
    case .cycle(let path):
      Wording(
        "the wires run in a circle: \(path.joined(separator: " -> "))", "remove one of them")
    case .needsEncoder(let wire, let encoders):
      Wording(
        wire.spoken, encoders.isEmpty ? "no encoder makes that" : "put \(anyOf(encoders)) between")
    case .otherMedium(let wire):
      Wording(wire.spoken, "wire \(wire.takes.medium) to `\(wire.to)`")
    case .formatConflict(let wire, let conflict, let encoders):
      Wording(
        "`\(wire.from)` gives \(conflict.field) \(conflict.first), but `\(wire.to)` takes "
          + "\(conflict.field) \(conflict.second)",
        encoders.isEmpty
          ? "set both to the same \(conflict.field)" : "put \(anyOf(encoders)) between")
    case .unwiredNode(let name):
      Wording("nothing is wired to `\(name)`", "add a wire, or remove the node")
    case .unwiredInput(let port, let kind):
      Wording("nothing feeds `\(port)`", "wire \(kind.spoken) to it")
    case .unwiredOutputs(let node, let ports):
      Wording(
        "nothing takes what `\(node)` makes",
        "wire \(anyOf(ports.map { "\(node).\($0)" })) to a node, or to a nullSink")
    case .endless(let node, let source, let isLive):
      Wording(
        "`\(node)` gives nothing before all has come, and `\(source)` "
          + (isLive ? "is live" : "has no end"),
        isLive
          ? "record to a file first, and run that through a graph with `\(node)`"
          : "have `\(source)` play a number of times")
    case .comesOnce(let node, let source, let reason):
      Wording(
        "`\(node)` encodes in two passes, and `\(source)` \(reason.message), so that it comes once",
        "leave out `twoPass`, or write a file first and encode that")
    case .heldBack(let node, let way, let other):
      Wording(
        "`\(node)` gives nothing before all has come, and `\(way)` joins `\(other)`, which "
          + "fills up before that",
        "start one of the two at a source of its own, such as a second `file` of the same path")
    case .liveTurn(let port, let source):
      Wording(
        "`\(source)` is live, and `\(port)` would have it wait for the inputs before it",
        "wire it to the first input, or record it to a file first")
    case .sharedTurns(let first, let second, let source):
      Wording(
        "`\(source)` feeds `\(first)` and `\(second)`, which are taken one after the other: it "
          + "can't wait for the one while it feeds the other",
        "start each at a source of its own, such as a second `file` of the same path")
    case .still(let node, let source):
      Wording(
        "`\(source)` is a single image, and what `\(node)` makes of it has no length",
        "lay the image over a testVideo with an `overlay`, which gives it one")
    case .copiedRange(let port, let target):
      Wording(
        "`\(port)` is a part of its file's stream, and `\(target)` takes it encoded: what begins "
          + "between two key frames can't be copied there",
        "put a decoder and an encoder between, or copy it into a movie without `seconds`, playlist, "
          + "parts and recordings")
    case .mixedRange(let port, let target, let other, let kind):
      Wording(
        "`\(port)` is a part of its file's stream that `\(target)` takes as it is encoded, and "
          + "`\(other)` goes there, too, which isn't one",
        (kind == .text
          ? "leave `\(other)` out" : "wire parts of encoded streams alone to `\(target)`")
          + ", or put a decoder and an encoder before `\(target)`")
    case .sharedRange(let port, let target, let other):
      Wording(
        "`\(port)` is a part of its file's stream that `\(target)` takes as it is encoded, and it goes "
          + "to `\(other)`, too",
        "start the wire to `\(other)` at a second `file` of the same path, or put a decoder and an "
          + "encoder before `\(target)`")
    case .movedText(let port, let other, let sink):
      Wording(
        "`\(port)` keeps its times, and `\(other)` changes those of what `\(sink)` gets with it, so "
          + "that its texts are shown at other moments than they should be",
        "leave the wire out, draw the texts before `\(other)` with a `subtitleOverlay`, or, for a part, "
          + "give `from` and `to` to `\(port.node)` in place of `\(other)`")
    case .lostChapters(let source, let other, let sink, let isKnown):
      Wording(
        "the chapters of `\(source)` are left out of `\(sink)`, since `\(other)` "
          + (isKnown ? "changes times" : "may change times"),
        "give `\(sink)` its own with `chapters`")
    case .strangersPackets(let port, let target):
      Wording(
        "`\(port)` goes into `\(target)` as it is in the file, and `\(target)` would parse it in this "
          + "process: with `isolate` only sinks of files are given packets",
        "put a decoder before `\(target)`, and an encoder where it takes encoded media, or leave "
          + "out `isolate`")
    case .samePath(let paths, let nodes):
      Wording(
        "\(list(nodes)) write the same file, \(sameFile(paths))", "give each its own path")
    case .ownSource(let path, let reader, let readPath, let writer):
      Wording(
        "`\(writer)` would overwrite \(sameFile([path, readPath])), which `\(reader)` reads",
        "give `\(writer)` another path")
    case .sameAddress(let port, let nodes):
      Wording("\(list(nodes)) serve the same address, port \(port)", "give each its own port")
    }
  }
}

/// A file by all the names that it is given: `a.wav (also called b.wav)`.
private func sameFile(_ paths: [String]) -> String {
  let first = excerpt(paths.first ?? "", limit: 80)
  guard let other = paths.first(where: { $0 != paths.first }) else { return first }
  return "\(first) (also called \(excerpt(other, limit: 80)))"
}
