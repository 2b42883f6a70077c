import ArgumentParser

/// The command `graphctl`.
struct Graphctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graphctl",
    abstract: "Checks, plans, draws and runs graphs of media nodes.",
    discussion: """
      Data go to standard output; messages and progress go to standard error.

      EXIT CODES
        0    done; also where INT, TERM or HUP ended a run and its files were finished
        64   the command line is wrong
        65   the graph is wrong, or a run doesn't take what it is asked for
        66   the graph file, or a file that the graph reads, can't be read
        69   something that the graph needs is missing: an element, a plug-in
        70   a fault of GraphKit
        71   a disk was full; the run was ended in order, and its files are whole
        73   a file that the graph writes can't be made, or is there already
        74   the run failed, or output could not be written
        75   the run stalled and was ended; the message says what waited for what. Or a web server
             doesn't give a file, and may at another time
        77   the run belongs to another user
        129, 130, 143   ended at once by HUP, INT, TERM

      Shell completions: graphctl --generate-completion-script bash (or zsh, fish).
      """,
    version: "0.1.0",
    subcommands: [
      New.self, Check.self, Explain.self, PlanCommand.self, Run.self, BatchCommand.self,
      Control.self,
      Info.self, WaveformCommand.self,
      NodesCommand.self, Schema.self, Draw.self, Repair.self,
    ])
}
