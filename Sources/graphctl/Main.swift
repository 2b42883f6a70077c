import ArgumentParser
import GStreamer

@main
enum Main {
  /// Runs the command of the command line, and ends the process with its exit code.
  static func main() async {
    // Before any thread exists, so that no thread is left that a signal could end.
    Signals.hold()
    do {
      var command = try Graphctl.parseAsRoot()
      if let run = command as? Run { return try await run.run() }
      Signals.release()
      try command.run()
    } catch let failure as CommandFailure {
      Console.message(failure.message)
      Graphctl.exit(withError: ExitCode(failure.status.rawValue))
    } catch {
      Graphctl.exit(withError: error)
    }
  }
}
