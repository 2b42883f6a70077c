import Foundation
import TestTools
import Testing

@testable import Batch

/// Lines and records of a batch that are longer than a graph may be, 1 MiB.
@Suite(.inTurn) struct LongRecordTests {
  /// An item may write an image for each frame.
  @Test func thereIsARecordOfManyOutputs() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: place) }
    let batch = BatchFolder(place.path)
    try batch.make()
    let outputs = (0..<10_000).map {
      OutputRecord(
        path: "frames/\($0).png", bytes: $0, digest: String(repeating: "a", count: 64),
        isRemote: true)
    }
    let record = DoneRecord(
      id: "3fa9", input: "film.mp4", outputs: outputs, report: nil, host: "here", seconds: 1,
      attempt: 1)
    #expect(record.json.utf8.count > 1 << 20)
    #expect(try batch.records.publish(record))
    let read = try #require(batch.records.done("3fa9")).outputs
    #expect(read.count == outputs.count && read.last == outputs.last)
    #expect(batch.records.confirm("3fa9") && batch.records.isDone("3fa9"))
  }

  /// A task of an hour has room for 72,000 short items.
  @Test func aTaskMayHaveManyItems() throws {
    let items = (0..<72_000).map {
      BatchItem(
        id: String(repeating: "0", count: 24) + "\(10_000_000 + $0)", input: "\($0).wav", size: 1,
        modified: 2, values: [:], outputs: ["\($0).dat"], cost: 0.05, place: "list:\($0)")
    }
    let task = try #require(BatchTask.bundle(items, seconds: 3_601).first)
    #expect(task.items.count == items.count)
    let isRead = BatchTask(line: Array(task.line.utf8)) == task
    #expect(isRead, "of \(task.line.utf8.count) bytes")
  }
}
