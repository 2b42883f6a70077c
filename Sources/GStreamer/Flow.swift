import CGStreamer

/// What became of a buffer that was pushed: `GstFlowReturn`.
package struct Flow: Equatable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }
  init(_ flow: GstFlowReturn) { rawValue = flow.rawValue }

  package static let ok = Flow(GST_FLOW_OK)
  package static let endOfStream = Flow(GST_FLOW_EOS)
  package static let flushing = Flow(GST_FLOW_FLUSHING)
  package static let notNegotiated = Flow(GST_FLOW_NOT_NEGOTIATED)
  package static let error = Flow(GST_FLOW_ERROR)

  var gst: GstFlowReturn { GstFlowReturn(rawValue: rawValue) }
}
