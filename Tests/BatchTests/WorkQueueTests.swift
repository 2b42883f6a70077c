import Batch
import TestTools
import Testing

private func item(_ id: String, cost: Double) -> BatchItem {
  BatchItem(
    id: id, input: "\(id).wav", size: 1, modified: 2, values: ["output": "{id}.dat"],
    outputs: ["\(id).dat"], cost: cost, place: "list:1")
}

/// What is given out when, and how often.
@Suite(.inTurn) struct WorkQueueTests {
  @Test func theLongestComesFirst() {
    var queue = WorkQueue([item("a", cost: 1), item("b", cost: 3), item("c", cost: 2)])
    var given: [String?] = []
    for _ in 0..<4 { given.append(queue.next(at: 0)?.id) }
    #expect(given == ["b", "c", "a", nil])
  }

  @Test func anItemIsTriedThreeTimesWithGrowingPauses() {
    let one = item("a", cost: 1)
    var queue = WorkQueue([one])
    _ = queue.next(at: 0)
    // Each attempt fails at once, and the next is to be had after the pause.
    for (failure, next) in [(10.0, 10.5), (11.0, 13.0)] {
      let isTriedAgain = queue.retry(one, at: failure)
      #expect(isTriedAgain && !queue.isEmpty)
      #expect(!queue.hasNext(at: next - 0.1) && queue.hasNext(at: next))
      let early = queue.next(at: next - 0.1)
      let given = queue.next(at: next)
      #expect(early == nil && given == one)
    }
    let isTriedAgain = queue.retry(one, at: 14)
    #expect(!isTriedAgain && queue.isEmpty)
  }

  @Test func whatWasPutBackIsNext() {
    var queue = WorkQueue([item("a", cost: 1), item("b", cost: 2)])
    let first = queue.next(at: 0)
    if let first { queue.putBack(first) }
    let next = queue.next(at: 0)
    #expect(next == first && queue.cost == 1)
  }

  @Test func theCostIsThatOfAllThatIsLeft() {
    let items = (1...5).map { item("\($0)", cost: Double($0)) }
    var queue = WorkQueue(items)
    var costs = [queue.cost]
    while let next = queue.next(at: 0) {
      if costs.count == 3 {
        let isTriedAgain = queue.retry(next, at: 1_000)
        #expect(isTriedAgain)
      }
      costs.append(queue.cost)
    }
    #expect(costs == [15, 10, 6, 6, 4, 3])
    for item in items { queue.putBack(item) }
    #expect(queue.cost == 18 && queue.count == 6)
  }
}

/// How items become tasks.
@Suite(.inTurn) struct BatchTaskTests {
  @Test func tasksTakeAboutAsLongAsAskedFor() {
    let items = (0..<100).map { item("\($0)", cost: Double($0 % 7 + 1)) }
    let tasks = BatchTask.bundle(items, seconds: 40)
    let total = items.reduce(0) { $0 + $1.cost }
    #expect(tasks.count == Int((total / 40).rounded(.up)))
    #expect(tasks.allSatisfy { $0.cost < 47 })
    #expect(tasks.map(\.number) == Array(0..<tasks.count))
    #expect(tasks.map(\.cost) == tasks.map(\.cost).sorted(by: >))
    #expect(Set(tasks.flatMap(\.items)) == Set(items.map(\.id)))
    #expect(tasks.flatMap(\.items).count == items.count)
  }

  @Test func thereAreAtMostAThousand() {
    let items = (0..<1_200).map { item("\($0)", cost: 100) }
    let tasks = BatchTask.bundle(items, seconds: 1)
    #expect(tasks.count == 1_000 && tasks.reduce(0) { $0 + $1.items.count } == 1_200)
  }

  @Test func aLongItemIsATaskOfItsOwn() {
    let items = [item("long", cost: 500), item("a", cost: 1), item("b", cost: 1)]
    let tasks = BatchTask.bundle(items, seconds: 400)
    #expect(tasks.map { Set($0.items) } == [["long"], ["a", "b"]])
  }

  @Test func fewItemsAreOneTaskAndNoneNone() {
    #expect(BatchTask.bundle([item("a", cost: 0.1)], seconds: 600).count == 1)
    #expect(BatchTask.bundle([], seconds: 600).isEmpty)
  }

  @Test func linesReadBackAsTheyWere() {
    let one = item("a\n\"b\"", cost: 1.5)
    #expect(BatchItem(line: Array(one.line.utf8)) == one)
    let task = BatchTask.bundle([one], seconds: 1)[0]
    #expect(BatchTask(line: Array(task.line.utf8)) == task)
    #expect(one.finalValues["output"] == "a\n\"b\".dat")
  }
}
