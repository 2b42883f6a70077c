import CGStreamer

extension Element {
  /// What a file may be that has no media and names where they are, by GStreamer's types.
  private static let playlists = [
    "application/x-hls": "an HLS playlist",
    "application/dash+xml": "a DASH manifest",
    "application/vnd.ms-sstr+xml": "a Smooth Streaming manifest",
    "application/sdp": "a session description",
    "text/uri-list": "a list of addresses",
    "application/xges": "an editing project",
    "application/vnd.pixar.opentimelineio+json": "an editing project",
  ]

  /// Has a `parsebin` or a `decodebin` open nothing that the data name which it reads: other files and
  /// hosts, as their maker chose. Calls `body` with what they are in place of it, on the
  /// streaming thread. Other elements stay as they are.
  package func refusePlaylists(_ body: @escaping @Sendable (String) -> Void) {
    guard ["parsebin", "decodebin"].contains(factoryName) else { return }
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> gboolean = {
      _, _, caps, box in
      guard let caps = unsafe caps, let box = unsafe box,
        let structure = unsafe gst_caps_get_structure(
          caps.assumingMemoryBound(to: GstCaps.self), 0),
        let name = unsafe gst_structure_get_name(structure),
        let kind = unsafe Element.playlists[String(cString: name)]
      else { return 1 }
      unsafe Unmanaged<Box<@Sendable (String) -> Void>>.fromOpaque(box).takeUnretainedValue()
        .value(kind)
      return 0
    }
    unsafe connect("autoplug-continue", unsafeBitCast(callback, to: GCallback.self), Box(body))
  }
}
