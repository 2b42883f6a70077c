import Glibc

/// Shows images to browsers as they come, on a thread of its own: each the newest, and none twice.
///
/// `GET /` answers with one image after the other (`multipart/x-mixed-replace`), which browsers show as
/// moving, and `GET /still.jpg` with the newest alone. A browser that takes less than comes gets
/// fewer, and holds up nothing.
package final class ImageServer: Sendable {
  /// The port that it serves.
  package let port: UInt16
  private let state = Monitor(ImageServer.State())
  private let pipe: (read: Int32, write: Int32)
  private let thread: Monitor<StreamingThread?>

  /// What is shown.
  struct State {
    var image: [UInt8] = []
    /// How many images there have been.
    var number = 0
    /// How many browsers look.
    var viewers = 0
    var isOver = false
  }

  /// Serves a port of an address of this machine until ``stop()``; port 0 is any that is free.
  /// `mediaType` is that of the images.
  package init(at host: String, port: UInt16, mediaType: String) throws(File.Failure) {
    let listener = try WebListener(host, port: port)
    self.port = listener.port
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw .last }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    pipe = (ends[0], ends[1])
    let service = ImageService(listener, state, pipe: ends[0], mediaType)
    thread = Monitor(StreamingThread(name: "preview", running: service) { $0.run() })
  }

  /// Whether a browser looks: no image need be made for none.
  package var isWatched: Bool { state.withLock { $0.viewers > 0 } }

  /// Shows an image from now on.
  package func show(_ image: [UInt8]) {
    state.withLock { ($0.image, $0.number) = (image, $0.number + 1) }
    wake()
  }

  /// Ends the service and the connections, which get the last image where they take it at once; again,
  /// to no effect.
  package func stop() {
    thread.withLock { thread in
      guard let running = thread.take() else { return }
      state.withLock { $0.isOver = true }
      wake()
      running.join()
      close(pipe.read)
      close(pipe.write)
    }
  }

  deinit { stop() }

  private func wake() {
    var byte: UInt8 = 0
    _ = unsafe write(pipe.write, &byte, 1)
  }
}

/// The work of a server; on its thread alone.
private final class ImageService {
  private let listener: WebListener
  private let state: Monitor<ImageServer.State>
  private let pipe: Int32
  private let mediaType: String
  private var viewers: [ImageViewer] = []
  /// Whether there were no descriptors left for one more browser.
  private var isExhausted = false

  private static let mostViewers = 32

  init(
    _ listener: WebListener, _ state: Monitor<ImageServer.State>, pipe: Int32, _ mediaType: String
  ) {
    self.listener = listener
    self.state = state
    self.pipe = pipe
    self.mediaType = mediaType
  }

  func run() {
    while true {
      var polls = [
        pollfd(fd: pipe, events: Int16(POLLIN), revents: 0),
        // A connection that can't be accepted would be reported again and again.
        pollfd(fd: isExhausted ? -1 : listener.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      polls += viewers.map(\.poll)
      // Once a second those are let go that take nothing.
      let count = unsafe Glibc.poll(&polls, nfds_t(polls.count), isExhausted ? 100 : 1000)
      isExhausted = false
      if count < 0, errno != EINTR { return }
      drain()
      let shown = state.withLock { $0 }
      serve(shown)
      if shown.isOver { return finish(shown) }
      if polls[1].revents != 0 { accept() }
      let watching = viewers.count { $0.isWatching }
      state.withLock { $0.viewers = watching }
    }
  }

  private func serve(_ shown: ImageServer.State) {
    for viewer in viewers { viewer.serve(shown.image, number: shown.number, mediaType) }
    viewers.removeAll(where: \.isOver)
  }

  /// Sends what is left of the last image, for a moment.
  private func finish(_ shown: ImageServer.State) {
    for _ in 0..<20 where viewers.contains(where: \.isSending) {
      var polls = viewers.filter(\.isSending).map(\.poll)
      _ = unsafe Glibc.poll(&polls, nfds_t(polls.count), 10)
      serve(shown)
    }
  }

  private func drain() {
    var block = [UInt8](repeating: 0, count: 64)
    while unsafe read(pipe, &block, block.count) == block.count {}
  }

  /// Lets the first one go that asks for nothing, where there are too many; whether there is room.
  private func makeRoom() -> Bool {
    guard viewers.count >= Self.mostViewers else { return true }
    guard let silent = viewers.firstIndex(where: \.isSilent) else { return false }
    viewers.remove(at: silent)
    return true
  }

  private func accept() {
    while true {
      let descriptor = Glibc.accept(listener.descriptor, nil, nil)
      guard descriptor >= 0 else {
        isExhausted = errno == EMFILE || errno == ENFILE
        return
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      let viewer = ImageViewer(descriptor, isLocal: listener.isLocal)
      if makeRoom() { viewers.append(viewer) } else { viewer.refuse() }
    }
  }
}
