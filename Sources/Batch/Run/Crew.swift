import GraphKitSystem

/// A worker process, and what it does.
struct CrewMember {
  let process: WorkerProcess
  /// The item that it runs, and since when.
  var current: (item: BatchItem, since: Double)?
  /// Whether it has answered an item.
  var hasAnswered = false
  /// Whether it was ended because what it does is needed no more.
  var isGivenUp = false
}

/// What a supervisor learns of its workers.
enum CrewEvent {
  case answered(BatchItem, WorkerAnswer, seconds: Double)
  /// A worker left in order before it began an item.
  case returned(BatchItem)
  /// A worker's process ended in the midst of an item.
  case lost(BatchItem, words: String, status: Int, seconds: Double)
}

/// Worker processes, each of which runs one item after the other.
struct Crew {
  /// How a worker is started.
  struct Start: Sendable {
    /// The words after the program's name.
    var arguments: [String]
    var logFolder: String
    var logName: String
  }

  private let start: Start
  private var members: [CrewMember] = []
  private let itemTimeout: Double?

  init(_ start: Start, itemTimeout: Double?) {
    (self.start, self.itemTimeout) = (start, itemTimeout)
  }

  var count: Int { members.count }
  var isBusy: Bool { members.contains { $0.current != nil } }
  var costInWork: Double { members.reduce(0) { $0 + ($1.current?.item.cost ?? 0) } }
  var hasIdle: Bool { members.contains { $0.current == nil } }
  /// The items that run, and since when.
  var running: [(item: BatchItem, since: Double)] {
    members.filter { !$0.isGivenUp }.compactMap(\.current)
  }

  /// Gives an item to a worker that is idle, or else to a new one.
  mutating func give(_ item: BatchItem, at time: Double) throws(File.Failure) {
    if let index = members.firstIndex(where: { $0.current == nil }) {
      members[index].current = (item, time)
      // One that reads no more has ended, which shows next.
      _ = members[index].process.send(item.line)
      return
    }
    let log = "\(start.logFolder)/\(start.logName)-\(members.count + 1).txt"
    let process = try WorkerProcess(
      Machine.ownProgram, name: "graphctl", start.arguments, log: log)
    members.append(CrewMember(process: process, current: (item, time)))
    _ = process.send(item.line)
  }

  /// Waits until a worker has something to say, at most for some time.
  mutating func events(
    within milliseconds: Int32, since start: ContinuousClock.Instant
  ) -> [CrewEvent] {
    WorkerProcess.wait(for: members.map(\.process), milliseconds: milliseconds)
    var events: [CrewEvent] = []
    for index in members.indices {
      for line in members[index].process.receive() {
        guard let answer = WorkerAnswer(line: line), let current = members[index].current,
          current.item.id == answer.id
        else { continue }
        members[index].hasAnswered = true
        members[index].current = nil
        let seconds = start.secondsUntilNow - current.since
        events.append(.answered(current.item, answer, seconds: seconds))
      }
    }
    for member in members {
      if let event = Self.end(of: member, at: start.secondsUntilNow, itemTimeout) {
        events.append(event)
      }
    }
    members.removeAll { $0.process.hasEnded }
    return events
  }

  /// What the end of a worker means for its item; `nil` where it goes on, or has none.
  private static func end(
    of member: CrewMember, at time: Double, _ itemTimeout: Double?
  ) -> CrewEvent? {
    guard let current = member.current, !member.isGivenUp else { return nil }
    let seconds = time - current.since
    guard member.process.hasEnded else {
      if let itemTimeout, seconds > itemTimeout { member.process.kill() }
      return nil
    }
    switch member.process.waitForEnd() {
    case .exited(0) where member.hasAnswered: return .returned(current.item)
    case .exited(let code):
      return .lost(
        current.item, words: "its worker ended with the exit code \(code)",
        status: code == 0 ? 75 : Int(code), seconds: seconds)
    case .killed(let signal):
      let isLate = itemTimeout.map { seconds > $0 } ?? false
      return .lost(
        current.item,
        words: isLate
          ? "it took longer than --item-timeout allows"
          : "its worker was ended by signal \(signal)",
        status: -Int(signal), seconds: seconds)
    }
  }

  /// Ends the workers that run an item of some name at once, of which nothing more is heard.
  mutating func giveUp(_ id: String) {
    for index in members.indices where members[index].current?.item.id == id {
      members[index].isGivenUp = true
      members[index].process.kill()
    }
  }

  /// Ends all workers at once.
  mutating func kill() {
    for member in members { member.process.kill() }
    members = []
  }
}
