import CGStreamer
import GraphKitSystem

/// A SHA-256 sum (FIPS 180-4), as `sha256sum` shows it.
@safe package struct FileDigest: ~Copyable {
  private let sum: OpaquePointer

  package init() { unsafe sum = g_checksum_new(G_CHECKSUM_SHA256) }

  deinit { unsafe g_checksum_free(sum) }

  /// Adds the bytes that follow.
  package func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe g_checksum_update(sum, bytes.baseAddress, gssize(bytes.count))
    }
  }

  /// The sum of what was added, in hexadecimal digits. Nothing can be added afterwards.
  package var hexadecimal: String { unsafe String(cString: g_checksum_get_string(sum)) }

  /// The sum of some bytes.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    let digest = FileDigest()
    digest.add(bytes)
    return digest.hexadecimal
  }

  /// The sum of a whole file.
  package static func hexadecimal(of file: File) throws(File.Failure) -> String {
    let digest = FileDigest()
    var offset = 0
    while true {
      let block = try file.read(at: offset, count: 1 << 18)
      if block.isEmpty { return digest.hexadecimal }
      digest.add(block)
      offset += block.count
    }
  }
}
