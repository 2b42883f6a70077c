import CGStreamer
import GraphKitSystem

extension Conversion {
  /// A picture of four bytes a pixel, without padding.
  package struct Picture: Sendable {
    package var width: Int
    package var height: Int
    package var bytes: [UInt8]
  }

  /// What comes out of the last element, which gives four bytes a pixel.
  ///
  /// All pictures together have at most `limit` pixels; throws where there are more.
  package static func pictures(
    of packets: [Packet], caps: String, through steps: [Step], limit: Int
  ) throws(Failure) -> [Picture] {
    let collector = PictureCollector(limit: limit)
    let largest = Monitor<(width: Int, height: Int)?>(nil)
    // A size is refused as soon as it is known: converters (1.22) can't count the bytes of some.
    let complaint = try run(packets, caps: caps, through: steps, into: collector) { caps in
      guard let size = caps.pictureSize, size.width.times(size.height) > limit else { return true }
      largest.withLock { $0 = size }
      return false
    }
    let pictures = collector.pictures
    if let (width, height) = largest.withLock({ $0 }) ?? collector.excess {
      throw .tooLarge(width: width, height: height, after: pictures.count)
    }
    guard !pictures.isEmpty else { throw .failed(complaint) }
    return pictures
  }

  /// The sink; called on the thread that pushes.
  private final class PictureCollector: ElementBody {
    var pictures: [Picture] = []
    var excess: (width: Int, height: Int)?
    private var room: Int
    private var size = (width: 0, height: 0)

    init(limit: Int) { room = limit }

    func handle(_ event: consuming Event, on input: Int) -> Bool {
      if case .caps(let caps) = event.kind, let new = caps.pictureSize { size = new }
      return true
    }

    func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
      guard takes(size), let map = BufferMap(buffer) else { return .error }
      let span = map.span(of: UInt8.self, from: 0, count: size.width * size.height * 4)
      guard span.count == size.width * size.height * 4 else { return .error }
      room -= size.width * size.height
      let bytes = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
      pictures.append(Picture(width: size.width, height: size.height, bytes: bytes))
      return .ok
    }

    private func takes(_ size: (width: Int, height: Int)) -> Bool {
      guard size.width.times(size.height) > room else { return true }
      excess = size
      return false
    }
  }
}

extension Int {
  /// The product with another, or the most that there is.
  fileprivate func times(_ other: Int) -> Int {
    let (product, isTooMuch) = multipliedReportingOverflow(by: other)
    return isTooMuch ? .max : product
  }
}

extension Caps {
  /// The size of raw pictures.
  fileprivate var pictureSize: (width: Int, height: Int)? {
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, raw) != 0 else { return nil }
    return unsafe (Int(info.width), Int(info.height))
  }
}
