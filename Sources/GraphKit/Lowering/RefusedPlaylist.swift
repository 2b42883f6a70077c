extension RunContext {
  /// Fails the run at a node that would read what its data name, in place of them.
  func refusePlaylist(_ kind: String, at node: String) {
    fail(
      PipelineFailure(
        node: node,
        message: "what it reads is \(kind), which has no media and names where they are",
        remedy: "give the files themselves; a stream is received, and not read as a file"))
  }
}
