import GraphKit
import GraphKitSystem

/// The process that reads a file for another one: confined before it opens it, it says which streams the
/// file has, or puts their samples into memory that both share.
package enum IsolatedFileServer {
  /// The word by which `graphctl` becomes such a process.
  package static let word = HelperProgram.word

  /// Serves the process that has started this one, until that has enough; returns an exit code. To be
  /// called while the process has one thread.
  package static func serve() -> Int32 {
    let socket = MessageSocket.ofParent
    guard case .message(let bytes, let file?) = socket.receive(within: -1),
      case .open(let input, let streams)? = IsolationRequest(bytes)
    else { return 64 }
    LiveEnvironment.knowAllPlugins()
    do throws(File.Failure) {
      let confinement = try Confinement.apply(
        reading: file, folders: folders, memory: input.memoryLimit)
      socket.tell(.confined(confinement))
    } catch {
      let problem = NodeError(
        "`isolate` can't confine its process: \(error.text)",
        remedy: "check the machine's limits", key: "isolate")
      socket.tell(.failed(problem))
      return 69
    }
    do throws(NodeError) {
      try streams.isEmpty ? describe(input, to: socket) : read(input, streams, to: socket)
    } catch {
      socket.tell(.failed(error))
    }
    // What has been sent is taken before the other end is closed.
    while case .message = socket.receive(within: -1) {}
    return 0
  }

  private static func describe(
    _ input: IsolatedInput, to socket: MessageSocket
  ) throws(NodeError) {
    let streams = try LiveEnvironment().discover(input.path)
    for reply in IsolationReply.chapters(of: streams) { socket.tell(reply) }
    socket.tell(.streams(streams))
  }

  private static func read(
    _ input: IsolatedInput, _ streams: [IsolatedStream], to socket: MessageSocket
  ) throws(NodeError) {
    let pass = try IsolatedPass(input, streams, to: socket)
    while true {
      switch socket.receive(within: -1) {
      case .message(let bytes, let memory):
        if let request = IsolationRequest(bytes) { pass.take(request, memory) }
      case .nothing: break
      // The other process is gone, and threads may be anywhere.
      case .closed: LostThreads.endProcess(0)
      }
    }
  }

  /// The folders that plug-ins and their libraries are in, and what the C library looks at.
  private static var folders: [String] {
    let named = [
      "GST_PLUGIN_PATH", "GST_PLUGIN_PATH_1_0", "GST_PLUGIN_SYSTEM_PATH",
      "GST_PLUGIN_SYSTEM_PATH_1_0", "LD_LIBRARY_PATH",
    ].compactMap { Machine.variable($0) }.flatMap { $0.split(separator: ":").map(String.init) }
    return named + [
      "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/usr/share/mime",
      "/etc/ld.so.cache", "/sys/devices/system/cpu", "/dev/urandom",
      // Whether its threads work, and on how many cores they may.
      "/proc/self",
    ]
  }
}
