import Containers
import Media

extension GIFHeader {
  /// The pictures: straight alpha, each as large as the whole, at times of their own.
  var discoveredStream: DiscoveredStream {
    var stream = DiscoveredStream(
      identifier: "gif", format: .video(VideoFormat(.rgba, width: width, height: height)),
      duration: nil)
    stream.isGIF = true
    return stream
  }
}
