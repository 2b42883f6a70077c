import Glibc

/// A browser that is connected to an ``ImageServer``; on the server's thread alone.
final class ImageViewer {
  private let descriptor: Int32
  /// Whether it was reached by an address of this machine alone.
  private let isLocal: Bool
  private var request: [UInt8] = []
  private var outgoing: ArraySlice<UInt8> = []
  /// The number of the image that it was sent last; `nil` while it has asked for none.
  private var seen: Int?
  /// Whether it gets one image alone, and when it last did something.
  private var isStill = false
  private var last = ContinuousClock.now
  private var endsAfterWriting = false
  /// Nothing more can be done for it.
  private(set) var isOver = false

  private static let longestSilence = Duration.seconds(20)
  private static let boundary = "frame"

  init(_ descriptor: Int32, isLocal: Bool) {
    self.descriptor = descriptor
    self.isLocal = isLocal
  }

  deinit { close(descriptor) }

  /// Whether it has asked for nothing yet: another may have its place.
  var isSilent: Bool { seen == nil && !endsAfterWriting }

  /// Whether it waits for images.
  var isWatching: Bool { seen != nil && !endsAfterWriting }

  /// Whether something is left to be sent.
  var isSending: Bool { !outgoing.isEmpty && !isOver }

  /// Answers at once that there are too many.
  func refuse() {
    outgoing = ArraySlice(refusal(503, "Service Unavailable"))
    write()
  }

  /// What is waited for: room for an image, or the request; or its end, which is read as well.
  var poll: pollfd {
    pollfd(fd: descriptor, events: Int16(outgoing.isEmpty ? POLLIN : POLLOUT), revents: 0)
  }

  /// Does what can be done now, with the newest image and its number; 0 is none.
  func serve(_ image: [UInt8], number: Int, _ mediaType: String) {
    read()
    if let seen, seen < number, outgoing.isEmpty, !endsAfterWriting {
      self.seen = number
      add(image, mediaType)
    }
    write()
    if outgoing.isEmpty, endsAfterWriting { isOver = true }
    if !outgoing.isEmpty || seen == nil, .now - last > Self.longestSilence { isOver = true }
  }

  private func add(_ image: [UInt8], _ mediaType: String) {
    let head = "Content-Type: \(mediaType)\r\nContent-Length: \(image.count)\r\n\r\n"
    if isStill {
      outgoing = ArraySlice(Self.head(200, "OK") + Array(head.utf8) + image)
      endsAfterWriting = true
    } else {
      // The boundary follows at once: browsers show an image when they have seen that.
      outgoing = ArraySlice(Array(head.utf8) + image + Array("\r\n--\(Self.boundary)\r\n".utf8))
    }
  }

  private static func head(_ status: Int, _ word: String) -> [UInt8] {
    Array("HTTP/1.1 \(status) \(word)\r\nCache-Control: no-store\r\nConnection: close\r\n".utf8)
  }

  // MARK: The request

  private func read() {
    var block = [UInt8](repeating: 0, count: 4096)
    let count = unsafe block.withUnsafeMutableBytes { buffer in
      unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
    }
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) { isOver = true }
      return
    }
    guard seen == nil, !endsAfterWriting else { return }
    request += block[..<count]
    if let answer = answer() {
      outgoing = ArraySlice(answer)
      last = .now
    }
  }

  /// The beginning of the answer; `nil` while the request isn't whole, or waits for an image.
  private func answer() -> [UInt8]? {
    guard let asked = ImageRequest(request, isLocal: isLocal) else { return nil }
    endsAfterWriting = asked.isHead
    switch asked.subject {
    case .images:
      seen = 0
      let type = "Content-Type: multipart/x-mixed-replace; boundary=\(Self.boundary)\r\n\r\n"
      return Self.head(200, "OK")
        + Array(asked.isHead ? type.utf8 : "\(type)--\(Self.boundary)\r\n".utf8)
    case .newest:
      (seen, isStill) = (0, true)
      return asked.isHead ? Self.head(200, "OK") + Array("\r\n".utf8) : nil
    case .refusal(let status, let word): return refusal(status, word)
    }
  }

  private func refusal(_ status: Int, _ word: String) -> [UInt8] {
    endsAfterWriting = true
    let allowed = status == 405 ? "Allow: GET, HEAD\r\n" : ""
    return Self.head(status, word) + Array("\(allowed)Content-Length: 0\r\n\r\n".utf8)
  }

  // MARK: The answer

  private func write() {
    while !isOver, !outgoing.isEmpty {
      let count = unsafe outgoing.withUnsafeBytes { buffer in
        unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        if errno != EAGAIN, errno != EINTR { isOver = true }
        return
      }
      last = .now
      outgoing = outgoing.dropFirst(count)
    }
  }
}
