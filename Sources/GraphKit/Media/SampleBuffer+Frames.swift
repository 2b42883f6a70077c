import Containers

/// What encoded audio says of itself.
extension SampleBuffer {
  /// What a packet of MP3 says of its bits; `nil` where it is none.
  var mp3Frame: MP3Frame? { withBytes { MP3Frame($0) } }

  /// What a packet of FLAC says of its samples; `nil` where it is none.
  var flacFrame: FLACFrame? { withBytes { FLACFrame($0) } }
}
