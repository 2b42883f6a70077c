import ArgumentParser
import GStreamer
import GraphKit
import GraphKitSystem

/// `graphctl control`
struct Control: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control",
    abstract: "Control a run from outside: change live parameters, pause, mark, finish.",
    discussion: """
      SOCKET is what the run was given as --control. Commands:

        set NODE.PARAMETER=VALUE ...   change live parameters, all of them or none
        get [NODE.PARAMETER]           show a parameter's value, or those of all live ones
        list                           show live parameters with their ranges
        status                         show the state and how far the run has come
        pause, resume                  halt the flow, and go on
        split                          begin another part of a movie in parts
        mark TITLE                     make a chapter of this moment of the recorded movies
        finish                         end in order: what was taken is written
        cancel                         end at once
      """)

  @Argument(
    help: ArgumentHelp("The socket of the run.", valueName: "socket"), completion: .file())
  var socket: String
  @Argument(help: "What to do.") var command: ControlCommand
  @Argument(help: ArgumentHelp("What to set or get, or a title.", valueName: "argument"))
  var arguments: [String] = []
  // A value that begins with a dash is a wrong time rather than another option.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Set from this time of the media on rather than at once.", valueName: "seconds"))
  var at: Double?
  @Option(help: "How to write the answer.") var format = OutputFormat.text

  /// In seconds; beyond it no media has a time of nanoseconds.
  private static let latest = 9_000_000_000.0

  func validate() throws {
    if at != nil, command != .set { throw ValidationError("--at goes with set alone") }
    if let at, !(at >= 0 && at.isFinite) {
      throw ValidationError("--at takes a number of seconds from 0 on")
    }
    if let at, at > Self.latest {
      throw ValidationError("--at is too large a time; give at most \(Int(Self.latest)) seconds")
    }
    switch command {
    case .set where arguments.isEmpty:
      throw ValidationError("set what? write it as node.parameter=value")
    case .set: _ = try arguments.map(Setting.init)
    case .mark where arguments.isEmpty:
      throw ValidationError("mark what? give the moment a title: \"goal\"")
    case .mark where arguments.count > 1:
      let title = arguments.joined(separator: " ")
      throw ValidationError("write the title as one argument: \"\(title)\"")
    case .mark: break
    case .get where arguments.count < 2: break
    case _ where arguments.isEmpty: break
    default: throw ValidationError("`\(arguments.last ?? "")` is one argument too many")
    }
  }

  func run() throws {
    let line = JSONTree(members: try request()).jsonLine
    let answer = try ControlAnswer(send(Array(line.utf8) + [UInt8(ascii: "\n")]))
    if format == .json { try Console.data(answer.tree.jsonLine) }
    guard answer.isOk else {
      throw CommandFailure(
        status: .badGraph, message: format == .json ? "" : "graphctl: error: \(answer.problem)")
    }
    let text = answer.text(of: command)
    if format == .text, !text.isEmpty { try Console.data(text) }
  }

  private func request() throws -> [(String, JSONTree)] {
    var members = [("command", JSONTree(stringLiteral: command.rawValue))]
    switch command {
    case .set:
      let values = try arguments.map(Setting.init).map {
        ($0.name, JSONTree(stringLiteral: $0.value))
      }
      if let twice = Dictionary(grouping: values, by: \.0).first(where: { $1.count > 1 }) {
        throw CommandFailure(
          status: .badUsage, message: "graphctl: error: \(twice.key) is set twice; give one value")
      }
      members.append(("values", JSONTree(members: values)))
      if let at { members.append(("at", JSONTree(number: at))) }
    case .get:
      if let name = arguments.first { members.append(("parameter", JSONTree(stringLiteral: name))) }
    case .mark: members.append(("title", JSONTree(stringLiteral: Self.title(arguments[0]))))
    default: break
    }
    return members
  }

  /// As much of a title as a run keeps, and a little more: a line has a limit.
  private static func title(_ text: String) -> String {
    var title = String.UnicodeScalarView()
    title.append(contentsOf: text.unicodeScalars.prefix(2 * Mark.longestTitle))
    return String(title)
  }

  /// Sends a line, and gives the one that comes back.
  private func send(_ line: [UInt8]) throws -> [UInt8] {
    let connection: LocalSocket
    do throws(File.Failure) { connection = try LocalSocket(connectingTo: socket) } catch {
      throw CommandFailure(
        status: error.isNotAllowed ? .notAllowed : .unavailable,
        message: "graphctl: error: no run listens at `\(socket)`: \(error.text); "
          + "start one with `graphctl run --control \(socket)`")
    }
    guard !connection.isBusy, connection.send(line),
      let answer = connection.receiveLine(limit: 1 << 20, within: 10)
    else {
      throw CommandFailure(
        status: .failed,
        message: "graphctl: error: the run at `\(socket)` gave no answer; it may have ended")
    }
    return answer
  }
}

/// What a run can be asked for.
enum ControlCommand: String, ExpressibleByArgument, CaseIterable {
  case set, get, list, status, pause, resume, split, mark, finish, cancel
}
