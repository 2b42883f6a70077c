import GraphKit

extension SampleBuffer {
  /// A packet of other bytes, of the same format, at the same time.
  func replacing(bytes: [UInt8]) -> SampleBuffer {
    var changed = SampleBuffer(bytes: bytes, format: format)
    (changed.presentationTime, changed.decodeTime) = (presentationTime, decodeTime)
    (changed.duration, changed.isSync) = (duration, isSync)
    changed.isDiscontinuity = isDiscontinuity
    return changed
  }
}
