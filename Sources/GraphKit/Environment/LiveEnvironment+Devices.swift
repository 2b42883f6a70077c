import GStreamer
import GraphKitSystem

extension LiveEnvironment {
  /// The devices of a kind, the default one first. Doesn't start GStreamer and doesn't block.
  public func devices(_ kind: DeviceKind) -> [Device] {
    switch kind {
    case .camera: cameras
    case .microphone: pulseSources + alsaSources
    case .screen: screens
    }
  }

  private var cameras: [Device] {
    let paths = Machine.names(in: "/dev").filter { name in
      name.hasPrefix("video") && Int(name.dropFirst("video".count)) != nil
    }
    let ordered = paths.sorted { ($0.count, $0) < ($1.count, $1) }.map { "/dev/\($0)" }
    return ordered.compactMap { path in
      Machine.captureDeviceName(path).map { Device(identifier: path, name: $0) }
    }
  }

  private var pulseSources: [Device] {
    let isThere = pulseServers.contains { server in
      switch server {
      case .local(let path): Machine.isListening(at: path)
      // Asking a server elsewhere could take long; who names one means it.
      case .remote: true
      }
    }
    return isThere ? [Device(identifier: "pulse", name: "PulseAudio's default source")] : []
  }

  private enum PulseServer { case local(String), remote }

  /// Where a PulseAudio server may listen, in the order in which its client library looks.
  private var pulseServers: [PulseServer] {
    if let servers = Machine.variable("PULSE_SERVER") {
      return servers.split(separator: " ").map { server in
        // `{machine}` in front says on which machine the rest holds.
        let address = server.hasPrefix("{") ? server.drop { $0 != "}" }.dropFirst() : server
        if address.hasPrefix("unix:") { return .local(String(address.dropFirst("unix:".count))) }
        return address.hasPrefix("/") ? .local(String(address)) : .remote
      }
    }
    let folders = [
      Machine.variable("PULSE_RUNTIME_PATH"),
      Machine.variable("XDG_RUNTIME_DIR").map { "\($0)/pulse" },
      "/run/user/\(Machine.userIdentifier)/pulse", "/run/pulse", "/var/run/pulse",
    ]
    return (folders.compactMap { $0 } + pulseHomeFolders).map { .local("\($0)/native") }
  }

  /// Without a session, the server keeps its socket behind a link in the user's configuration.
  private var pulseHomeFolders: [String] {
    guard let home = Machine.variable("HOME") else { return [] }
    let folder = "\(home)/.config/pulse"
    return Machine.names(in: folder).filter { $0.hasSuffix("-runtime") }.map { "\(folder)/\($0)" }
  }

  /// `/proc/asound/pcm` has lines such as `00-02: ALC287 : ALC287 : playback 1 : capture 1`.
  private var alsaSources: [Device] {
    Machine.text(of: "/proc/asound/pcm").split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":").map { $0.drop { $0 == " " } }
      guard fields.contains(where: { $0.hasPrefix("capture") }), fields.count > 1 else {
        return nil
      }
      let numbers = fields[0].split(separator: "-").compactMap { Int($0) }
      guard numbers.count == 2 else { return nil }
      let name = fields[1].reversed().drop { $0 == " " }.reversed()
      return Device(identifier: "alsa:hw:\(numbers[0]),\(numbers[1])", name: String(name))
    }
  }

  private var screens: [Device] {
    guard let display = Machine.variable("DISPLAY") else { return [] }
    return hasScreen(display) ? [Device(identifier: display, name: "X11 display \(display)")] : []
  }
}
