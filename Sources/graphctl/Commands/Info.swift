import ArgumentParser
import AssetIO
import GraphKit
import GraphKitSystem

/// `graphctl info`
struct Info: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what is in media files.",
    discussion: """
      The container, its tracks with their formats, durations, languages, rotation and colours, what \
      the file says of itself, and its chapters: of every file that GStreamer reads.
      """)

  @Argument(help: ArgumentHelp("The media files.", valueName: "file"), completion: .file())
  var files: [String]
  @Flag(help: "Measure the loudness of the first audio, for which all of it is decoded.")
  var measure = false
  @Option(help: "How to write the result.") var format = OutputFormat.text

  func validate() throws {
    guard files.isEmpty else { return }
    throw ValidationError("name a media file")
  }

  func run() throws {
    var found: [MediaInfo] = []
    var failure: CommandFailure?
    for file in files {
      do {
        let info = try look(into: file)
        if format == .text { try Console.data((found.isEmpty ? "" : "\n") + info.text) }
        found.append(info)
      } catch let error as CommandFailure {
        if files.count > 1 { Console.message(error.message) }
        failure = error
      }
    }
    if format == .json {
      // One file is one object.
      if files.count == 1, let info = found.first { try Console.json(info) }
      if files.count > 1 { try Console.json(found) }
    }
    guard let failure else { return }
    throw CommandFailure(status: failure.status, message: files.count > 1 ? "" : failure.message)
  }

  private func look(into file: String) throws -> MediaInfo {
    let measures = measure
    do {
      return try waited {
        var info = try await MediaInfo(path: file)
        guard measures else { return info }
        let asset = try await MediaAsset(path: file)
        if let track = asset.tracks(.audio).first {
          info.loudness = try await LoudnessMeasurement(of: track, in: asset)
        }
        return info
      }
    } catch {
      let status: ExitStatus =
        (error as? NodeError).map { $0.isTemporary ? .stalled : .noInput } ?? .failed
      throw CommandFailure(status: status, message: "\(file.withoutSecrets): error: \(error)")
    }
  }
}

/// The result of a task, which this thread waits for.
private func waited<Value: Sendable>(
  _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let result = Monitor<Result<Value, any Error>?>(nil)
  Task {
    let found: Result<Value, any Error>
    do { found = .success(try await body()) } catch { found = .failure(error) }
    result.withLock { $0 = found }
    result.wakeAll()
  }
  return try result.withLock { found in
    while true {
      if let found { return found }
      result.wait(&found)
    }
  }.get()
}
