import GStreamer

/// A run's hold on a file that it writes, from its start to its end.
final class OutputClaim: Sendable {
  let node: String
  let file: OutputFile
  /// The element that writes.
  let element: Element
  private struct State {
    var open: WrittenFile?
    var isBegun = false
  }
  private let state = Monitor(State())
  private let context: RunContext

  init(_ file: OutputFile, node: String, element: Element, context: RunContext) {
    self.context = context
    self.file = file
    self.node = node
    self.element = element
    element.pad("sink")?.onFirstData { [weak self] in self?.begin() ?? true }
  }

  /// Makes or opens the file, and hands it to the element.
  func open() throws(PipelineFailure) {
    let opened: WrittenFile
    do throws(WrittenFile.Refusal) {
      opened = try WrittenFile(file.path, replacing: file.replaces)
    } catch {
      throw failure(error)
    }
    state.withLock { $0.open = opened }
    _ = element.set("fd", "\(opened.descriptor)")
  }

  private func failure(_ refusal: WrittenFile.Refusal) -> PipelineFailure {
    let error =
      switch refusal {
      case .taken: file.isThere
      case .busy: file.blocked("another run writes it")
      case .failed(let failure): file.blocked(failure.text)
      }
    var failure = PipelineFailure(node: node, message: error.message, remedy: error.remedy)
    failure.isOutput = true
    return failure
  }

  /// Why the element can't write any more, by what it says of it.
  func failure(_ text: String, _ debug: String) -> PipelineFailure {
    let count = state.withLock { $0.open?.byteCount ?? 0 }
    // The system's own words, where it gave any: `Error while writing to …: File too large`.
    let cause = debug.split(separator: "\n").first { $0.hasPrefix("Error while writing") }
    let reason = cause?.split(separator: ": ").last.map(String.init) ?? text.trimmingFullStop
    var failure = PipelineFailure(
      node: node,
      message: "`\(file.path)` can't be written any further than \(count) bytes: \(reason)",
      remedy: reason == File.Failure.tooLarge.text
        ? "raise the limit of files' sizes (`ulimit -f`), or write to a disk that takes larger ones"
        : "make room on the disk, or give a path on one with more", detail: debug)
    failure.isEcho = text.hasPrefix("Internal data")
    return failure
  }

  /// The first bytes are here: what was in the file goes. A run that has failed before has none
  /// that are worth it, such as a header with nothing behind it.
  private func begin() -> Bool {
    guard context.failure == nil else { return false }
    state.withLock { state in
      state.isBegun = true
      state.open?.clear()
    }
    return true
  }

  /// Whether the file is the run's own.
  var isWritten: Bool { state.withLock { $0.isBegun } }

  /// Closes the file, once nothing writes any more. One that was made for nothing goes again.
  func release(isComplete: Bool) {
    state.withLock { state in
      guard let open = state.open else { return }
      if !state.isBegun, !isComplete, open.isNew { File.remove(file.path) }
      if !state.isBegun, isComplete { open.clear() }
      state.isBegun = state.isBegun || isComplete
      state.open = nil
    }
  }
}
