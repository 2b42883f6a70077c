import ArgumentParser
import GStreamer

@main
enum Main {
  /// Runs the command of the command line, and ends the process with its exit code.
  ///
  /// Not `async`: the runtime would put this thread to rest with every signal let through.
  static func main() {
    // Before any thread exists, so that no thread is left that a signal could end.
    Signals.hold()
    exitOnError {
      var command = try Graphctl.parseAsRoot()
      if let run = command as? Run { perform(run) }
      Signals.release()
      try command.run()
    }
    Graphctl.exit()
  }

  private static func perform(_ run: Run) -> Never {
    Task.detached {
      do {
        try await run.run()
        Graphctl.exit()
      } catch {
        exitOnError { throw error }
      }
    }
    Signals.rest()
  }

  private static func exitOnError(_ body: () throws -> Void) {
    do { try body() } catch let failure as CommandFailure {
      Console.message(failure.message)
      Graphctl.exit(withError: ExitCode(failure.status.rawValue))
    } catch {
      Graphctl.exit(withError: error)
    }
  }
}
