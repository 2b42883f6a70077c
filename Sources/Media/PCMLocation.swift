/// The position and format of PCM in a file that can be read as it is.
public struct PCMLocation: Hashable, Sendable {
  /// The file.
  public var path: String
  /// What the samples are.
  public var format: AudioFormat
  /// Where the first frame begins, in bytes from the start of the file.
  public var offset: Int
  /// The number of frames.
  public var frameCount: Int
  /// What is missing of the file, in words; `nil` where it is whole, as far as it says.
  public var shortfall: String?
  /// What the file says of itself, by GStreamer's names of tags.
  package var tags: [String: String] = [:]

  /// A place in a file.
  public init(path: String, format: AudioFormat, offset: Int, frameCount: Int) {
    self.path = path
    self.format = format
    self.offset = offset
    self.frameCount = frameCount
  }

  /// The duration.
  public var duration: MediaTime {
    MediaTime(value: Int64(frameCount), timescale: Int32(clamping: format.sampleRate))
  }
}
