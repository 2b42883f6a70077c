import GraphKitSystem

/// An item's file on this machine: itself, or what was brought from a store into a hidden folder,
/// which goes with the last use.
final class FetchedInput: Sendable {
  /// The file.
  let path: String
  private let folder: String?

  /// Brings a file where a command for that is given.
  init(_ remote: String, id: String, by command: StagingCommand?) throws(StagingCommand.Failure) {
    guard let command else {
      (path, folder) = (remote, nil)
      return
    }
    // The name stays, for its extension may say what the file is.
    let folder = "\(Staging.folder)/\(StagedOutputs.hiddenName(id))/in"
    (path, self.folder) = ("\(folder)/\(remote.lastPart)", folder)
    do throws(File.Failure) { try File.makeFolders(folder) } catch {
      throw StagingCommand.Failure(message: "`\(folder)` can't be made: \(error.text)")
    }
    try command.run(remote: remote, local: path)
    guard File.exists(path) else {
      throw StagingCommand.Failure(message: "the command that brings `\(remote)` made no `{local}`")
    }
  }

  deinit {
    if let folder {
      File.removeAll(folder)
      File.removeFolder(folder.parentFolder)
    }
  }
}
