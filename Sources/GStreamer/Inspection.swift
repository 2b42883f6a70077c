import CGStreamer
import GraphKitSystem

/// What the registry and the class of an element say of it.
package struct FactoryInspection: Sendable {
  /// A pad template.
  package struct PadTemplate: Sendable {
    package var name: String
    package var isInput: Bool
    package var presence: Presence
    package var caps: String
  }

  /// When a pad of a template exists.
  package enum Presence: Sendable { case always, sometimes, request }

  package var pads: [PadTemplate]
  /// The names of the properties that can be written.
  package var properties: [String]
  /// The plug-in's name, as in `libgstNAME.so`.
  package var plugin: String
}

extension Library {
  /// Inspects an element; `nil` where none of that name can be made. The library must run.
  package static func inspect(_ name: String) -> FactoryInspection? {
    guard let found = unsafe gst_element_factory_find(name) else { return nil }
    defer { unsafe gst_object_unref(UnsafeMutableRawPointer(found)) }
    // Loading is what registers the element's class; the result may be another object.
    let loaded = unsafe FloatingPointMode.kept { unsafe gst_plugin_feature_load(found) }
    guard let feature = unsafe loaded else { return nil }
    defer { unsafe gst_object_unref(UnsafeMutableRawPointer(feature)) }
    return unsafe FactoryInspection(
      pads: padTemplates(of: feature), properties: writableProperties(of: feature),
      plugin: pluginName(of: feature))
  }

  /// The elements that decode media of some caps and that GStreamer chooses by itself, best first.
  /// The library must run.
  package static func decoders(of text: String) -> [String] {
    guard let caps = Caps(text) else { return [] }
    // GST_ELEMENT_FACTORY_TYPE_DECODER, a macro that Swift doesn't import.
    let all = unsafe gst_element_factory_list_get_elements(1, GST_RANK_MARGINAL)
    let matching = unsafe gst_element_factory_list_filter(all, caps.raw, GST_PAD_SINK, 0)
    defer {
      unsafe gst_plugin_feature_list_free(all)
      unsafe gst_plugin_feature_list_free(matching)
    }
    // Both calls sort by rank.
    var names: [String] = []
    var link = unsafe matching
    while let node = unsafe link {
      if let data = unsafe node.pointee.data, unsafe isCodec(OpaquePointer(data)),
        let name = unsafe gst_object_get_name(data.assumingMemoryBound(to: GstObject.self))
      {
        unsafe names.append(String(cString: name))
        unsafe g_free(name)
      }
      unsafe link = node.pointee.next
    }
    return names
  }

  /// Whether an element's class is that of codecs. Others are bins that look for a decoder, or
  /// read files themselves.
  private static func isCodec(_ factory: OpaquePointer) -> Bool {
    guard let text = unsafe gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS)
    else { return false }
    return unsafe String(cString: text).hasPrefix("Codec/Decoder")
  }

  /// The name from the plug-in's file, which is what loads it again: some plug-ins call
  /// themselves otherwise.
  private static func pluginName(of feature: OpaquePointer) -> String {
    guard let plugin = unsafe gst_plugin_feature_get_plugin(feature) else { return "" }
    defer { unsafe gst_object_unref(UnsafeMutableRawPointer(plugin)) }
    guard let path = unsafe gst_plugin_get_filename(plugin) else { return "" }
    let file = unsafe String(cString: path).split(separator: "/").last ?? ""
    guard file.hasPrefix("libgst"), file.hasSuffix(".so") else { return "" }
    return String(file.dropFirst("libgst".count).dropLast(".so".count))
  }

  private static func padTemplates(of factory: OpaquePointer)
    -> [FactoryInspection.PadTemplate]
  {
    var templates: [FactoryInspection.PadTemplate] = []
    var link = unsafe gst_element_factory_get_static_pad_templates(factory)
    while let node = unsafe link {
      if let data = unsafe node.pointee.data {
        unsafe templates.append(
          padTemplate(data.assumingMemoryBound(to: GstStaticPadTemplate.self)))
      }
      unsafe link = UnsafePointer(node.pointee.next)
    }
    return templates
  }

  private static func padTemplate(_ template: UnsafeMutablePointer<GstStaticPadTemplate>)
    -> FactoryInspection.PadTemplate
  {
    let caps = unsafe Caps(taking: gst_static_pad_template_get_caps(template))
    let presence: FactoryInspection.Presence =
      switch unsafe template.pointee.presence {
      case GST_PAD_REQUEST: .request
      case GST_PAD_SOMETIMES: .sometimes
      default: .always
      }
    return unsafe FactoryInspection.PadTemplate(
      name: String(cString: template.pointee.name_template),
      isInput: template.pointee.direction == GST_PAD_SINK, presence: presence,
      caps: caps.description)
  }

  private static func writableProperties(of factory: OpaquePointer)
    -> [String]
  {
    let type = unsafe gst_element_factory_get_element_type(factory)
    guard let klass = unsafe g_type_class_ref(type) else { return [] }
    defer { unsafe g_type_class_unref(klass) }
    return unsafe GStreamer.writableProperties(
      of: klass.assumingMemoryBound(to: GObjectClass.self)
    ) { unsafe String(cString: $0.pointee.name) }
  }
}
