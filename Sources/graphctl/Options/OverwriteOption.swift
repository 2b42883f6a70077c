import ArgumentParser
import GraphKit

/// Whether files that are there already may be replaced.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace files that are there already.")
  var overwrite = false

  /// The machine as the command is to see it.
  var environment: any Environment { overwrite ? OverwritingEnvironment() : LiveEnvironment() }
}

extension OverwriteOption {
  /// As where nothing is given, for who sets it without a parser: what isn't set can't be read.
  static var unset: Self {
    var options = Self()
    options.overwrite = false
    return options
  }
}
