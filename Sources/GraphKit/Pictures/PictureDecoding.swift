import GStreamer
import GraphKitSystem

/// Runs bytes through GStreamer's elements, and gets pictures of them: red, green, blue and
/// straight alpha, 8 bits each.
package enum PictureDecoding {
  /// Bytes that go in at once.
  package struct EncodedPicture: Sendable {
    package var bytes: [UInt8]
    /// When they are presented, in nanoseconds.
    package var time: UInt64

    package init(_ bytes: [UInt8], at time: UInt64 = 0) {
      self.bytes = bytes
      self.time = time
    }
  }

  /// What comes out: rows without padding.
  package struct Picture: Sendable {
    package var width: Int
    package var height: Int
    package var bytes: [UInt8]
  }

  /// Why nothing came out.
  package typealias Failure = Conversion.Failure

  /// The elements that give all pictures one layout; they follow those that are named.
  package static let elements = [
    ElementSpec("videoconvert", plugin: "videoconvertscale"),
    ElementSpec("capsfilter", plugin: "coreelements", ["caps": "video/x-raw, format=RGBA"]),
  ]

  /// The pictures that elements make of packets of the first one's caps, on the calling thread. All
  /// of them together have at most `limit` pixels.
  package static func pictures(
    of packets: [EncodedPicture], caps: String, through row: [ElementSpec], limit: Int
  ) throws(Failure) -> [Picture] {
    let elements = row + elements
    Library.start(plugins: Set(elements.compactMap(\.plugin)))
    return try Conversion.pictures(
      of: packets.map { Conversion.Packet($0.bytes, at: $0.time) }, caps: caps,
      through: elements.map { Conversion.Step($0.factory, $0.properties) }, limit: limit
    ).map { Picture(width: $0.width, height: $0.height, bytes: $0.bytes) }
  }
}

/// The clock on the wall.
package enum WallClock {
  /// Seconds since 1970.
  package static var secondsSince1970: Int { Machine.secondsSince1970 }
}
