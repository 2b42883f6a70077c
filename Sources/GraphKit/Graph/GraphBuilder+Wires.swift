// One function for each pair of media that may meet. What has none here doesn't compile.

extension GraphBuilder {
  /// Wires an output to an input of the same media.
  public mutating func connect<Media>(
    _ output: OutputEnd<Media>, to input: InputEnd<Media>
  ) {
    connect(output.reference, to: input.reference)
  }

  /// Wires encoded audio to an input for raw audio: the planner puts a decoder between them.
  public mutating func connect(_ output: OutputEnd<EncodedAudio>, to input: InputEnd<Audio>) {
    connect(output.reference, to: input.reference)
  }

  /// Wires encoded video to an input for raw ones: the planner puts a decoder between them.
  public mutating func connect(_ output: OutputEnd<EncodedVideo>, to input: InputEnd<Video>) {
    connect(output.reference, to: input.reference)
  }

  /// Wires any output to an input that takes all media.
  public mutating func connect<Media>(
    _ output: OutputEnd<Media>, to input: InputEnd<AnyMedia>
  ) {
    connect(output.reference, to: input.reference)
  }

  /// Wires an output whose media only its node's parameters tell; ``build(in:)`` checks it.
  public mutating func connect<Media>(
    _ output: OutputEnd<AnyMedia>, to input: InputEnd<Media>
  ) {
    connect(output.reference, to: input.reference)
  }

  /// Wires an output of any media to an input that takes all of them.
  public mutating func connect(_ output: OutputEnd<AnyMedia>, to input: InputEnd<AnyMedia>) {
    connect(output.reference, to: input.reference)
  }
}
