import TestTools
import Testing

@testable import GraphKit

@Suite("What limits a run", .inTurn) struct RunLimitTests {
  private func stage(_ nodes: String..., busy: Double) -> StageReport {
    StageReport(nodes: nodes, waitedForInput: 0, waitedForRoom: 0, busy: busy)
  }

  private func text(_ stages: [StageReport], live: [String] = [], cpu: Double = 9) -> String? {
    RunLimit(stages, live: live, seconds: 10, processors: cpu / 10)?.text
  }

  @Test func theStageThatIsAlwaysBusy() {
    let stages = [stage("file", busy: 2), stage("look", "video", busy: 9.7)]
    #expect(
      text(stages, cpu: 16)
        == "`look` and `video`, busy for 97 % of the time; the process took 160 % of one core")
    // It limits a live graph, too, which then loses frames.
    #expect(text(stages, live: ["camera"])?.hasPrefix("`look` and `video`, busy") == true)
  }

  @Test func aDiskWhereAStageIsBusyWithoutProcessor() {
    #expect(
      text([stage("movie", busy: 9)], cpu: 1)
        == "`movie`, busy for 90 % of the time, mostly waiting for a disk, a network or a device; "
        + "the process took 10 % of one core")
  }

  @Test func theSourceWhereAllKeepUpWithIt() {
    let live = text([stage("video", busy: 4)], live: ["camera"], cpu: 5)
    #expect(live == "`camera`, which is live; the process took 50 % of one core")
    let both = text([], live: ["camera", "microphone"], cpu: 5)
    #expect(both?.hasPrefix("`camera` and `microphone`, which are live") == true)
  }

  @Test func nothingWhereAllWaitForEachOther() {
    let all = text([stage("a", busy: 5), stage("b", busy: 6)])
    #expect(
      all
        == "no stage alone; the busiest is `b`, for 60 % of the time; the process took 90 % of one core"
    )
    #expect(text([]) == nil)
  }
}
