import CGStreamer
import Glibc
import GraphKitSystem

/// The GStreamer library in this process.
package enum Library {
  private static let started = Monitor(Started())

  /// Plug-ins of hundreds of elements. Without the registry each of them is prepared as if it were
  /// used, which costs far more than to read the registry.
  private static let large: Set = ["libav"]

  private struct Started {
    var isInitialized = false
    /// Whether every installed plug-in is known, rather than those loaded by name.
    var hasRegistry = false
    var loaded: Set<String> = []
  }

  /// Starts the library on first use and sees to it that some plug-ins are there.
  ///
  /// With names alone the registry of all installed plug-ins isn't read, which saves most of the
  /// start-up time, unless a large one is among them; `nil` asks for all of them.
  package static func start(plugins: Set<String>?) {
    FloatingPointMode.kept { started.withLock { start(plugins: plugins, &$0) } }
  }

  private static func start(plugins: Set<String>?, _ started: inout Started) {
    if !started.isInitialized {
      Complaints.takeLog()
      started.hasRegistry =
        unsafe plugins?.isDisjoint(with: large) != true || pluginFolder.isEmpty
        || getenv("GST_PLUGIN_PATH") != nil
      if !started.hasRegistry { unsafe setenv("GST_REGISTRY_DISABLE", "yes", 1) }
      gst_init(nil, nil)
      // Children that this process starts later have a right to the registry.
      if !started.hasRegistry { unsafe unsetenv("GST_REGISTRY_DISABLE") }
      started.isInitialized = true
    }
    guard !started.hasRegistry else { return }
    guard let plugins else {
      unsafe gst_registry_scan_path(gst_registry_get(), pluginFolder)
      started.hasRegistry = true
      return
    }
    for name in plugins.subtracting(started.loaded) {
      if let plugin = unsafe gst_plugin_load_file(file(ofPlugin: name), nil) {
        unsafe gst_object_unref(UnsafeMutableRawPointer(plugin))
      }
      started.loaded.insert(name)
    }
  }

  /// Releases all that the library holds, so that a tracer can report what leaked. Nothing of
  /// GStreamer may be used afterwards in this process.
  package static func stop() { gst_deinit() }

  /// Whether plug-ins are where ``isInstalled(plugin:)`` looks, and nowhere else.
  package static var hasPluginFolder: Bool {
    unsafe !pluginFolder.isEmpty && getenv("GST_PLUGIN_PATH") == nil
  }

  /// Starts the library on first use, with no plug-in: enough for buffers and caps, which a program
  /// may make before any pipeline has started it. Costs next to nothing once done.
  package static func startCore() { core }
  private static let core: Void = start(plugins: [])

  /// Whether a plug-in's file is installed. Starts nothing.
  package static func isInstalled(plugin name: String) -> Bool {
    unsafe access(file(ofPlugin: name), R_OK) == 0
  }

  /// Whether an element can be made, once the plug-ins are there.
  package static func hasFactory(_ name: String) -> Bool {
    guard let factory = unsafe gst_element_factory_find(name) else { return false }
    unsafe gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }

  private static func file(ofPlugin name: String) -> String { "\(pluginFolder)/libgst\(name).so" }

  /// The folder of the installed plug-ins, where the usual places have one.
  private static let pluginFolder: String = {
    if let folder = unsafe getenv("GST_PLUGIN_SYSTEM_PATH") {
      return unsafe String(cString: folder)
    }
    let places = ["lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib64", "lib"]
    let folders = places.map { "/usr/\($0)/gstreamer-1.0" }
    return folders.first { unsafe access("\($0)/libgstcoreelements.so", R_OK) == 0 } ?? ""
  }()
}
