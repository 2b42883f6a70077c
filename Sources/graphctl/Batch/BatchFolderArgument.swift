import ArgumentParser

/// Which batch a command is about.
struct BatchFolderArgument: ParsableArguments {
  @Argument(help: "The folder of the batch.", completion: .directory)
  var folder: String
}
