/// The `styp` box that a segment begins with (ISO/IEC 14496-12, 8.16.2).
package enum SegmentType {
  /// Its bytes, for a segment of one track as CMAF has it, or of several.
  package static func bytes(isTrack: Bool) -> [UInt8] {
    var writer = BoxWriter()
    writer.box("styp") { writer in
      writer.write("msdh")
      writer.write(0, bytes: 4)
      for brand in ["msdh"] + (isTrack ? ["cmfs"] : []) { writer.write(brand) }
    }
    return writer.bytes
  }
}
