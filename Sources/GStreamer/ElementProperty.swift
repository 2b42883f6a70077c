import CGStreamer

/// A property of an element that can be written, as its class describes it.
package struct ElementProperty: Sendable {
  /// One of the values of a property that has only some.
  package struct Choice: Sendable {
    package var name: String
    package var help: String
  }

  /// What a property takes. A bound is `nil` where it is just that of the type.
  package enum Kind: Sendable {
    case bool
    case whole(minimum: String?, maximum: String?)
    case number(minimum: String?, maximum: String?)
    case fraction(minimum: String, maximum: String)
    case text
    case caps
    /// One of the choices.
    case choice([Choice])
    /// Any of the choices together.
    case flags([Choice])
    /// A type of GLib or of GStreamer that has a name only.
    case other(String)
  }

  package var name: String
  package var help: String
  package var kind: Kind
  package var isDeprecated: Bool
  /// Its value in an element that has just been made; `nil` where that isn't text.
  package var standard: String?
}

extension Library {
  /// The names of all elements that are installed. All plug-ins must be known for that.
  package static var elementNames: [String] {
    let list = unsafe gst_registry_get_feature_list(
      gst_registry_get(), gst_element_factory_get_type())
    defer { unsafe gst_plugin_feature_list_free(list) }
    var names: [String] = []
    var link = unsafe list
    while let node = unsafe link {
      if let data = unsafe node.pointee.data,
        let name = unsafe gst_object_get_name(data.assumingMemoryBound(to: GstObject.self))
      {
        unsafe names.append(String(cString: name))
        unsafe g_free(name)
      }
      unsafe link = node.pointee.next
    }
    return names.sorted()
  }
}

/// Something of each property of a class that can be written, in the class's order.
func writableProperties<Value>(
  of objectClass: UnsafeMutablePointer<GObjectClass>?,
  _ body: (UnsafeMutablePointer<GParamSpec>) -> Value
) -> [Value] {
  var count: guint = 0
  let list = unsafe g_object_class_list_properties(objectClass, &count)
  defer { unsafe g_free(list) }
  guard let list = unsafe list else { return [] }
  return (0..<Int(count)).compactMap { index in
    guard let spec = unsafe list[index],
      unsafe spec.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0
    else { return nil }
    return unsafe body(spec)
  }
}

extension Element {
  /// All properties that can be written, in the order of the class.
  package var properties: [ElementProperty] {
    unsafe writableProperties(of: objectClass(raw)) { spec in
      let name = unsafe String(cString: spec.pointee.name)
      return unsafe ElementProperty(
        name: name, help: g_param_spec_get_blurb(spec).map { unsafe String(cString: $0) } ?? "",
        kind: kind(of: spec),
        isDeprecated: spec.pointee.flags.rawValue & G_PARAM_DEPRECATED.rawValue != 0,
        standard: get(name))
    }
  }
}

private func kind(of spec: UnsafeMutablePointer<GParamSpec>) -> ElementProperty.Kind {
  let type = unsafe spec.pointee.value_type
  if type == gst_caps_get_type() { return .caps }
  if type == gst_fraction_get_type() { return unsafe fractionKind(of: spec) }
  switch Fundamental(rawValue: g_type_fundamental(type) >> 2) {
  case .bool: return .bool
  case .string: return .text
  case .choice: return .choice(choices(of: type))
  case .flags: return .flags(flags(of: type))
  case .int, .uint, .long, .ulong, .int64, .uint64: return unsafe wholeKind(of: spec)
  case .float, .double: return unsafe numberKind(of: spec)
  case nil:
    return unsafe .other(g_type_name(type).map { unsafe String(cString: $0) } ?? "unknown")
  }
}

/// GLib's fundamental types: G_TYPE_MAKE_FUNDAMENTAL, a macro that Swift doesn't import, shifts
/// these numbers by two.
private enum Fundamental: GType {
  case bool = 5
  case int, uint, long, ulong, int64, uint64, choice, flags, float, double, string
}

private func wholeKind(of spec: UnsafeMutablePointer<GParamSpec>) -> ElementProperty.Kind {
  func bounds<Number: FixedWidthInteger>(_ minimum: Number, _ maximum: Number)
    -> ElementProperty.Kind
  {
    .whole(
      minimum: minimum == .min && Number.isSigned ? nil : "\(minimum)",
      maximum: maximum == .max ? nil : "\(maximum)")
  }
  let raw = UnsafeMutableRawPointer(spec)
  func bound<Spec>(_: Spec.Type) -> Spec { unsafe raw.assumingMemoryBound(to: Spec.self).pointee }
  switch Fundamental(rawValue: unsafe g_type_fundamental(spec.pointee.value_type) >> 2) {
  case .int:
    let spec = unsafe bound(GParamSpecInt.self)
    return unsafe bounds(spec.minimum, spec.maximum)
  case .uint:
    let spec = unsafe bound(GParamSpecUInt.self)
    return unsafe bounds(spec.minimum, spec.maximum)
  case .long:
    let spec = unsafe bound(GParamSpecLong.self)
    return unsafe bounds(spec.minimum, spec.maximum)
  case .ulong:
    let spec = unsafe bound(GParamSpecULong.self)
    return unsafe bounds(spec.minimum, spec.maximum)
  case .int64:
    let spec = unsafe bound(GParamSpecInt64.self)
    return unsafe bounds(spec.minimum, spec.maximum)
  default:
    let spec = unsafe bound(GParamSpecUInt64.self)
    return unsafe bounds(spec.minimum, spec.maximum)
  }
}

private func numberKind(of spec: UnsafeMutablePointer<GParamSpec>) -> ElementProperty.Kind {
  func bounds<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ minimum: Number, _ maximum: Number
  ) -> ElementProperty.Kind {
    let greatest = Number.greatestFiniteMagnitude
    return .number(
      minimum: minimum <= -greatest ? nil : "\(minimum)",
      maximum: maximum >= greatest ? nil : "\(maximum)")
  }
  let raw = UnsafeMutableRawPointer(spec)
  if Fundamental(rawValue: unsafe g_type_fundamental(spec.pointee.value_type) >> 2) == .float {
    let spec = unsafe raw.assumingMemoryBound(to: GParamSpecFloat.self).pointee
    return unsafe bounds(spec.minimum, spec.maximum)
  }
  let spec = unsafe raw.assumingMemoryBound(to: GParamSpecDouble.self).pointee
  return unsafe bounds(spec.minimum, spec.maximum)
}

private func fractionKind(of spec: UnsafeMutablePointer<GParamSpec>) -> ElementProperty.Kind {
  let spec = unsafe UnsafeMutableRawPointer(spec)
    .assumingMemoryBound(to: GstParamSpecFraction.self).pointee
  return unsafe .fraction(
    minimum: "\(spec.min_num)/\(spec.min_den)", maximum: "\(spec.max_num)/\(spec.max_den)")
}

private func choices(of type: GType) -> [ElementProperty.Choice] {
  guard let raw = unsafe g_type_class_ref(type) else { return [] }
  defer { unsafe g_type_class_unref(raw) }
  let klass = unsafe raw.assumingMemoryBound(to: GEnumClass.self).pointee
  return (0..<Int(unsafe klass.n_values)).compactMap { index in
    unsafe klass.values.flatMap { unsafe choice($0[index].value_nick, $0[index].value_name) }
  }
}

private func flags(of type: GType) -> [ElementProperty.Choice] {
  guard let raw = unsafe g_type_class_ref(type) else { return [] }
  defer { unsafe g_type_class_unref(raw) }
  let klass = unsafe raw.assumingMemoryBound(to: GFlagsClass.self).pointee
  return (0..<Int(unsafe klass.n_values)).compactMap { index in
    unsafe klass.values.flatMap { unsafe choice($0[index].value_nick, $0[index].value_name) }
  }
}

private func choice(_ nick: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?)
  -> ElementProperty.Choice?
{
  guard let nick = unsafe nick else { return nil }
  return unsafe ElementProperty.Choice(
    name: String(cString: nick), help: name.map { unsafe String(cString: $0) } ?? "")
}
