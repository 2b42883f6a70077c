import GStreamer
import Kernels

extension SampleBuffer {
  /// A copy of a frame whose rows lie further apart, as those of many decoders do.
  ///
  /// For tests of effects: the bytes between the rows are `filler`, and must stay so.
  package borrowing func paddingRows(by extra: Int, filler: UInt8) throws(NodeError) -> SampleBuffer
  {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "give a frame of raw video")
    }
    let planes = video.planes
    var layout = VideoLayout(planeCount: planes.count, offsets: .zero, strides: .zero)
    var size = 0
    for (index, plane) in planes.enumerated() {
      layout.offsets[index] = size
      layout.strides[index] = plane.bytesPerRow + extra
      size += layout.strides[index] * plane.height
    }
    var bytes = [UInt8](repeating: filler, count: size)
    for (index, plane) in planes.enumerated() {
      withPlane(index) { source, stride in
        for row in 0..<plane.height {
          for column in 0..<plane.width * plane.bytesPerPixel {
            let place = layout.offsets[index] + row * layout.strides[index] + column
            bytes[place] = source[row * stride + column]
          }
        }
      }
    }
    var copy = SampleBuffer(bytes: bytes, format: format)
    copy.presentationTime = presentationTime
    guard
      copy.buffer.setVideoLayout(
        layout, format: video.pixelFormat.capsName, width: video.width, height: video.height)
    else { throw .unmappable }
    return copy
  }
}
