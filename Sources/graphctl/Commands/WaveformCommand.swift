import ArgumentParser
import GStreamer
import GraphKit
import Nodes
import GraphKitSystem

/// `graphctl waveform`
struct WaveformCommand: ParsableCommand, TakesSignals {
  static let configuration = CommandConfiguration(
    commandName: "waveform",
    _superCommandName: "graphctl",
    abstract: "Reduce a file's audio to a waveform, or draw it.",
    discussion: """
      The short form of a graph that --print-graph shows. Options that audiowaveform has are \
      called as there. The sound is any that `graphctl run` reads, raw samples, or a waveform in a \
      .dat or .json file; the output is a data file (.dat, .json, .csv) or a picture (.png, .svg).

      Unlike audiowaveform's, a picture shows the whole sound where no zoom is given, --start and \
      --end cut data, too, and a file that is there is kept unless --overwrite is given.
      """,
    // -h is the height, as in audiowaveform.
    helpNames: .long)

  @OptionGroup(title: "Files") var files: WaveformFiles
  @OptionGroup(title: "Reduction") var reduction: ReductionOptions
  @OptionGroup(title: "Pictures") var picture: PictureOptions
  @OptionGroup var overwriting: OverwriteOption
  @Flag(help: "Print the graph that would be run, and run nothing.") var printGraph = false
  @Flag(name: .shortAndLong, help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    try reduction.validate(isPicture: files.outputKind.isPicture)
    if files.readsPeaks { try refuseForPeaks() }
    if !files.outputKind.isPicture { try picture.refuseForData() }
  }

  /// The points of a waveform's data are reduced already.
  private func refuseForPeaks() throws {
    let given = [
      ("--reduce", reduction.reduce != .minMax), ("--split-channels", reduction.splitChannels),
      ("--stream", files.stream != 1),
    ].first(where: \.1)?.0
    if let given {
      throw ValidationError("\(given) is for audio, and `\(files.input)` is a waveform already")
    }
  }

  /// The file to read. What comes through a pipe is put into a file first, since discovery and the
  /// run each read it.
  private func input() throws -> String {
    let isStream = files.input == "-"
    guard isStream || File.isPipe(files.input) else { return files.input }
    guard !printGraph else { return isStream ? "/dev/stdin" : files.input }
    let name = isStream ? "standard input" : "`\(files.input)`"
    let copy: SeekableCopy
    do throws(File.Failure) {
      copy = try isStream ? StandardStream.input.file() : SeekableCopy(ofPipe: files.input)
    } catch {
      throw unreadable("\(name) can't be read into a file in TMPDIR: \(error.text)")
    }
    guard copy.byteCount > 0 else { throw unreadable("\(name) is empty") }
    return copy.path
  }

  private func unreadable(_ what: String) -> CommandFailure {
    CommandFailure(status: .noInput, message: "graphctl waveform: error: \(what)")
  }

  func run() throws {
    let graph = WaveformGraph(files, reduction, picture, input: try input()).json
    guard !printGraph else { return try Console.data(graph) }
    let text = GraphText(
      name: "graphctl waveform", bytes: Array(graph.utf8), catalog: .builtIn,
      isMade: true)
    var options = GraphRun.Options()
    options.isQuiet = quiet
    try GraphRun(text, in: overwriting.environment, options).run(.listening())
  }
}
