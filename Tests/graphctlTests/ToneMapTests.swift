import Foundation
import TestTools
import Testing

/// Video of high dynamic range that becomes one of standard range, beside ffmpeg's.
@Suite(.inTurn) struct ToneMapTests {
  /// Makes a movie of two frames of 256 by 64 in 10 bits; the levels are ffmpeg's expressions.
  private func source(
    red: String, green: String, blue: String, transfer: String, in folder: Folder
  ) throws {
    try Tool.generate(
      [
        "-f", "lavfi", "-i",
        "color=black:s=256x64:r=5:d=0.4,format=gbrp10le,geq=r='\(red)':g='\(green)':b='\(blue)',"
          + "scale=out_color_matrix=bt2020:out_range=tv:flags=accurate_rnd+full_chroma_int,"
          + "format=yuv420p10le",
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "lossless=1:log-level=none:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:"
          + "range=limited", "-tag:v", "hvc1",
      ], to: "hdr.mp4", in: folder)
  }

  private func map(_ settings: [String] = [], in folder: Folder) async throws {
    let graph = Graphctl.repository.appending(path: "graphs/tone-map.json").path
    let result = try await Graphctl.run(
      ["run", graph, "--set", "input=hdr.mp4"] + settings.flatMap { ["--set", $0] }, in: folder)
    #expect(result.status == 0, "\(result)")
  }

  /// The planes of the first frame of a movie, Y, U and V, after ffmpeg's filters.
  private func planes(_ name: String, _ filters: [String] = [], in folder: Folder) async throws
    -> [[UInt8]]
  {
    let chain = (filters + ["format=yuv420p"]).joined(separator: ",")
    try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", name, "-vf", chain, "-frames:v", "1", "-f", "rawvideo",
        "planes.yuv",
      ], in: folder.url)
    let bytes = [UInt8](try folder.data("planes.yuv"))
    let (luma, chroma) = (256 * 64, 128 * 32)
    let size = luma + 2 * chroma
    try #require(bytes.count == size)
    return [
      Array(bytes[..<luma]), Array(bytes[luma..<luma + chroma]), Array(bytes[(luma + chroma)...]),
    ]
  }

  /// The same curve of ffmpeg's, limited to what can be shown.
  private static func reference(peak: Int) -> [String] {
    [
      "zscale=t=linear:npl=100", "format=gbrpf32le", "zscale=p=bt709",
      "tonemap=tonemap=hable:desat=0:peak=\(peak / 100)", "zscale=t=bt709", "format=gbrp",
      "zscale=m=bt709:r=tv",
    ]
  }

  /// A ramp of gray over the whole range, beyond the peak as well: in 8 bits at most 3 off.
  @Test(arguments: [("smpte2084", 1_000), ("smpte2084", 4_000), ("arib-std-b67", 1_000)])
  func aGrayRampIsThatOfFFmpeg(_ transfer: String, _ peak: Int) async throws {
    let folder = try Folder()
    let ramp = "X*1023/255"
    try source(red: ramp, green: ramp, blue: ramp, transfer: transfer, in: folder)
    try await map(["peak=\(peak)"], in: folder)
    let found = try await planes("sdr.mp4", in: folder)
    let wanted = try await planes("hdr.mp4", Self.reference(peak: peak), in: folder)
    let errors = zip(found[0], wanted[0]).map { abs(Int($0) - Int($1)) }
    #expect((errors.max() ?? 255) <= 3, "\(found[0][2_560..<2_816]) \(wanted[0][2_560..<2_816])")
    #expect(Double(errors.reduce(0, +)) / Double(errors.count) < 0.6)
    #expect(found[0][2_560] <= 17 && found[0][2_815] >= 234)
  }

  /// Black, the primaries and what they mix to, in BT.2020 and so outside of BT.709 in part; then
  /// less saturated ones. In 8 bits at most 4 off, away from where two colours share their chroma.
  @Test func primariesAreThoseOfFFmpeg() async throws {
    let folder = try Folder()
    func level(_ bit: Int) -> String {
      "st(0,floor(X/16));if(bitand(ld(0),\(bit)),600,if(bitand(ld(0),8),300,0))"
    }
    try source(red: level(1), green: level(2), blue: level(4), transfer: "smpte2084", in: folder)
    try await map(in: folder)
    let found = try await planes("sdr.mp4", in: folder)
    let wanted = try await planes("hdr.mp4", Self.reference(peak: 1_000), in: folder)
    for field in 0..<16 {
      let places = [20 * 256 + 16 * field + 8, 10 * 128 + 8 * field + 4, 10 * 128 + 8 * field + 4]
      for (plane, place) in places.enumerated() {
        let (value, expected) = (found[plane][place], wanted[plane][place])
        #expect(abs(Int(value) - Int(expected)) <= 4, "\(field) \(plane): \(value), \(expected)")
      }
    }
    // Red is red, and not gray.
    #expect(found[2][10 * 128 + 12] > 200)
  }

  @Test func theMovieSaysStandardRange() async throws {
    let folder = try Folder()
    try source(red: "512", green: "512", blue: "512", transfer: "smpte2084", in: folder)
    try await map(in: folder)
    let probed = try await Tool.result(
      "ffprobe",
      [
        "-v", "error", "-show_entries",
        "stream=pix_fmt,color_range,color_space,color_transfer,color_primaries", "-of",
        "default=nw=1:nk=1", "sdr.mp4",
      ], in: folder.url)
    #expect(probed.output == "yuv420p\ntv\nbt709\nbt709\nbt709\n")
  }
}
