import ArgumentParser
import GStreamer

@main
enum Main {
  /// Runs the command of the command line, and ends the process with its exit code.
  ///
  /// Not `async`: the runtime would put this thread to rest with every signal let through, and a
  /// small graph would wait for threads that it has no use for.
  static func main() {
    // Before any thread exists, so that no thread is left that a signal could end.
    Signals.hold()
    do {
      var command = try Graphctl.parseAsRoot()
      if !(command is Run) { Signals.release() }
      try command.run()
    } catch let failure as CommandFailure {
      Console.message(failure.message)
      Graphctl.exit(withError: ExitCode(failure.status.rawValue))
    } catch {
      Graphctl.exit(withError: error)
    }
  }
}
