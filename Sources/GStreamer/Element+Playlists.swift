import CGStreamer

extension Element {
  /// Has a `parsebin` or a `decodebin` open nothing that the data name which it reads: other files and
  /// hosts, as their maker chose. Calls `body` with what the data are in place of it, on the streaming
  /// thread, before their reader has anything. Other elements stay as they are.
  package func refusePlaylists(_ body: @escaping @Sendable (String) -> Void) {
    guard ["parsebin", "decodebin"].contains(factoryName) else { return }
    onChild { child in
      guard let kind = child.playlistKind, let sink = child.pad("sink") else { return }
      sink.dropData()
      body(kind)
    }
  }

  /// What an element reads that has no media and names where they are; `nil` of others.
  private var playlistKind: String? {
    switch factoryName {
    case "hlsdemux", "hlsdemux2": "an HLS playlist"
    case "dashdemux", "dashdemux2": "a DASH manifest"
    case "mssdemux", "mssdemux2": "a Smooth Streaming manifest"
    case "sdpdemux": "a session description"
    case "gesdemux": "an editing project"
    default: isKind("Adaptive") ? "a playlist" : nil
    }
  }
}

extension Caps {
  /// The same of what no element reads.
  var playlistKind: String? {
    switch description.prefix(while: { $0 != "," }) {
    case "application/sdp": "a session description"
    case "text/uri-list": "a list of addresses"
    default: nil
    }
  }
}

extension Pad {
  /// Lets no data pass, nor the end of them, at which an element would find that it has none.
  fileprivate func dropData() {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM,
      { _, info, _ in
        let events = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
        guard let info = unsafe info, unsafe info.pointee.type.rawValue & events != 0,
          let event = unsafe gst_pad_probe_info_get_event(info)
        else { return GST_PAD_PROBE_DROP }
        return unsafe event.pointee.type == GST_EVENT_EOS ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      }, nil, nil)
  }
}
