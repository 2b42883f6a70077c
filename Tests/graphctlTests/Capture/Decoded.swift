import Foundation

/// What ffmpeg makes of a file: a second opinion on what was recorded.
enum Decoded {
  /// The sound, as one channel of 16 bits at 48 kHz.
  static func sound(of name: String, in folder: Folder) async throws -> [Int16] {
    try await decode(name, to: "decoded.s16", ["-f", "s16le", "-ac", "1", "-ar", "48000"], folder)
    let bytes = [UInt8](try folder.data("decoded.s16"))
    return stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
    }
  }

  /// The pictures, as red, green and blue bytes.
  static func pictures(of name: String, size: Int, in folder: Folder) async throws -> [[UInt8]] {
    try await decode(name, to: "decoded.rgb", ["-f", "rawvideo", "-pix_fmt", "rgb24"], folder)
    let bytes = [UInt8](try folder.data("decoded.rgb"))
    return stride(from: 0, to: bytes.count - size + 1, by: size).map {
      Array(bytes[$0..<$0 + size])
    }
  }

  private static func decode(
    _ name: String, to output: String, _ format: [String], _ folder: Folder
  ) async throws {
    try await Tool.run(
      "ffmpeg", ["-nostdin", "-v", "error", "-y", "-i", name] + format + [output], in: folder.url)
  }

  /// What ffmpeg and ffprobe complain about in a file; empty where they don't.
  static func complaints(of name: String, in folder: Folder) async -> String {
    do {
      // What is written on a decode without an error is a complaint, too.
      let words = "w=$(ffmpeg -nostdin -v error -i \"$1\" -f null - 2>&1) && test -z \"$w\" || "
      try await Tool.run(
        "sh", ["-c", words + "{ echo \"$w\"; exit 1; }", "sh", name], in: folder.url)
      return ""
    } catch { return "\(error)" }
  }
}
