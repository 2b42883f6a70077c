import Nodes

/// Inputs of a writer whose tracks exclude each other: of one language or angle of several a player
/// presents one at a time.
public struct AssetWriterInputGroup: Sendable {
  /// Where the tracks' samples are taken.
  public let inputs: [SampleReceiver]
  /// The one whose track is presented unless users choose another; `nil` for none of them.
  public let defaultInput: SampleReceiver?

  /// A group of a writer's inputs. Each is in one group at most.
  public init(inputs: [SampleReceiver], defaultInput: SampleReceiver?) {
    (self.inputs, self.defaultInput) = (inputs, defaultInput)
  }

  /// The tracks by the ports of all inputs, in the order of these.
  func tracks(_ ports: [String]) -> AlternateTracks {
    AlternateTracks(
      tracks: inputs.map { ports[$0.number - 1] },
      defaultTrack: defaultInput.map { ports[$0.number - 1] })
  }
}
