import ArgumentParser
import GStreamer
import GraphKit
import GraphKitSystem
import Nodes

@main
enum Main {
  /// Runs the command of the command line, and ends the process with its exit code.
  ///
  /// Not `async`: the runtime would put this thread to rest with every signal let through, and a
  /// small graph would wait for threads that it has no use for.
  static func main() {
    StandardStream.fillClosed()
    // Before any thread exists, so that no thread is left that a signal could end.
    Signals.hold()
    Heap.keepFreedFrames()
    if CommandLine.arguments.dropFirst() == [IsolatedFileServer.word] {
      LostThreads.endProcess(IsolatedFileServer.serve())
    }
    do {
      try runCommand()
      leaveLostThreads(0)
    } catch let failure as CommandFailure {
      Console.message(failure.message)
      leaveLostThreads(failure.status.rawValue)
      Graphctl.exit(withError: ExitCode(failure.status.rawValue))
    } catch {
      Graphctl.exit(withError: error)
    }
  }

  private static func runCommand() throws {
    defer { Console.tellComplaints() }
    try refuseUnreadableWords()
    if let request = plainRun { return try request.run() }
    var command = try plainWaveform ?? parse()
    // A command that runs a graph takes the signals that end a process for itself.
    if !(command is any TakesSignals) { Signals.release() }
    try command.run()
  }

  /// Ends the process at once where threads were given up that still use what an orderly end would
  /// take from them.
  private static func leaveLostThreads(_ code: Int32) {
    if LostThreads.areThere { LostThreads.endProcess(code) }
  }

  /// A file whose name isn't UTF-8 would be looked for under another name, or written under it.
  private static func refuseUnreadableWords() throws {
    guard let word = Machine.unreadableArgument else { return }
    throw CommandFailure(
      status: .badUsage,
      message: "graphctl: error: `\(word)` isn't UTF-8; rename the file, or make a link to it "
        + "whose name is")
  }

  /// What `graphctl run` is asked for, where that takes no parser.
  private static var plainRun: RunRequest? {
    let words = CommandLine.arguments.dropFirst()
    return words.first == "run" ? RunRequest(plain: words.dropFirst()) : nil
  }

  /// `graphctl waveform`, where that takes no parser.
  private static var plainWaveform: (any ParsableCommand)? {
    let words = CommandLine.arguments.dropFirst()
    return words.first == "waveform" ? WaveformCommand(plain: words.dropFirst()) : nil
  }

  /// The command of the command line.
  private static func parse() throws -> any ParsableCommand {
    let words = CommandLine.arguments.dropFirst()
    // Parsing for one command costs half of parsing for all of them. Where it fails, be it for
    // want of help, all of them know better what to say.
    var rest = Array(words.dropFirst())
    if words.first == "run" { rest = EventKinds.joining(rest) }
    if words.first == "run", let run = try? Run.parseAsRoot(rest) as? Run { return run }
    if words.first == "waveform",
      let waveform = try? WaveformCommand.parseAsRoot(rest) as? WaveformCommand
    {
      return waveform
    }
    try refuseUnknownCommand(words.first)
    return try Graphctl.parseAsRoot(words.prefix(1) + rest)
  }

  /// The parser would only say that it didn't expect the word.
  private static func refuseUnknownCommand(_ word: String?) throws {
    let known =
      Graphctl.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let word, !word.hasPrefix("-"), !known.contains(word) else { return }
    throw CommandFailure(
      status: .badUsage,
      message: "graphctl: error: there is no command `\(excerpt(word))`; "
        + (suggestion(for: word, known) ?? "`graphctl --help` lists them"))
  }
}
