import ArgumentParser
import GStreamer

@main
enum Main {
  /// Runs the command of the command line, and ends the process with its exit code.
  ///
  /// Not an asynchronous `main`: where that waits, the run time keeps a thread that lets all signals
  /// through.
  static func main() {
    // Before any thread exists, so that no thread is left that a signal could end.
    Signals.hold()
    end {
      let command = try Graphctl.parseAsRoot()
      if let run = command as? Run { return runForever(run) }
      Signals.release()
      var plain = command
      try plain.run()
      Graphctl.exit()
    }
  }

  private static func runForever(_ run: Run) {
    Task {
      do {
        try await run.run()
        Graphctl.exit()
      } catch { end { throw error } }
    }
    let forever = Monitor(())
    while true { forever.withLock { _ in forever.wait() } }
  }

  /// Ends the process where `body` fails.
  private static func end(_ body: () throws -> Void) {
    do { try body() } catch let failure as CommandFailure {
      Console.message(failure.message)
      Graphctl.exit(withError: ExitCode(failure.status.rawValue))
    } catch {
      Graphctl.exit(withError: error)
    }
  }
}
