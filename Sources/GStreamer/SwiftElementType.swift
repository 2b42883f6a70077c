import CGStreamer

/// The GObject type behind every ``SwiftElement``.
enum SwiftElementType {
  /// What an instance holds beyond `GstElement`: retained Swift objects.
  @safe struct Instance {
    var parent: GstElement
    var body: Unmanaged<AnyObject>?
    var ports: Unmanaged<Box<[SwiftElement.Port]>>?
  }

  static let type: GType = {
    var info = unsafe GTypeInfo()
    unsafe info.class_size = unsafe guint16(MemoryLayout<GstElementClass>.size)
    unsafe info.instance_size = guint16(MemoryLayout<Instance>.size)
    unsafe info.class_init = { klass, _ in unsafe SwiftElementType.setUp(klass) }
    let type = unsafe g_type_register_static(
      gst_element_get_type(), "GraphKitSwiftElement", &info, GTypeFlags(rawValue: 0))
    return type
  }()

  private typealias Finalize = @convention(c) (UnsafeMutablePointer<GObject>?) -> Void
  private typealias SendEvent =
    @convention(c) (
      UnsafeMutablePointer<GstElement>?, UnsafeMutablePointer<GstEvent>?
    ) -> gboolean
  nonisolated(unsafe) private static var parentFinalize: Finalize?
  nonisolated(unsafe) private static var parentSendEvent: SendEvent?

  // Runs once, inside the registration's own lock; the two variables are only read afterwards.
  private static func setUp(_ klass: gpointer?) {
    guard let klass = unsafe klass else { return }
    let object = unsafe klass.assumingMemoryBound(to: GObjectClass.self)
    let element = unsafe klass.assumingMemoryBound(to: GstElementClass.self)
    unsafe parentFinalize = object.pointee.finalize
    unsafe parentSendEvent = element.pointee.send_event
    unsafe object.pointee.finalize = { unsafe SwiftElementType.finalize($0) }
    unsafe element.pointee.send_event = { unsafe SwiftElementType.send($0, $1) }
    unsafe gst_element_class_set_metadata(
      element, "GraphKit stage", "Generic", "Runs nodes written in Swift", "GraphKit")
  }

  private static func instance(_ element: UnsafeMutablePointer<GstElement>)
    -> UnsafeMutablePointer<Instance>
  {
    unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: Instance.self)
  }

  static func setBody(of element: UnsafeMutablePointer<GstElement>, _ body: any ElementBody) {
    unsafe instance(element).pointee.body = Unmanaged.passRetained(body as AnyObject)
  }

  static func keep(_ ports: [SwiftElement.Port], in element: UnsafeMutablePointer<GstElement>) {
    unsafe instance(element).pointee.ports = Unmanaged.passRetained(Box(ports))
  }

  private static func finalize(_ object: UnsafeMutablePointer<GObject>?) {
    guard let object = unsafe object else { return }
    let element = unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstElement.self)
    let instance = unsafe instance(element)
    unsafe instance.pointee.body?.release()
    unsafe instance.pointee.ports?.release()
    unsafe parentFinalize?(object)
  }

  private static func send(
    _ element: UnsafeMutablePointer<GstElement>?, _ event: UnsafeMutablePointer<GstEvent>?
  ) -> gboolean {
    guard let element = unsafe element, let event = unsafe event else { return 0 }
    let body = unsafe instance(element).pointee.body?.takeUnretainedValue()
    if unsafe event.pointee.type == GST_EVENT_EOS,
      (body as? any ElementBody)?.endOfStreamRequested() == true
    {
      unsafe gst_event_unref(event)
      return 1
    }
    return unsafe parentSendEvent?(element, event) ?? 0
  }
}
