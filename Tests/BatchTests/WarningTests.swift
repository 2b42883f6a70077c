import Batch
import TestTools
import Testing

/// Warnings of a batch's runs: the first are kept, all are counted.
@Suite(.inTurn) struct WarningTests {
  private func warning(_ file: Int, _ message: String) -> BatchWarnings.Warning {
    BatchWarnings.Warning(id: "\(file)", input: "\(file).wav", message: message)
  }

  @Test func theFirstAreKeptAndTheOthersCounted() {
    var warnings = BatchWarnings()
    for file in 0..<700 {
      for message in ["cut off", "damaged"] { warnings.take(warning(file, message)) }
    }
    #expect((warnings.count, warnings.total, warnings.leftOut) == (700, 1_400, 400))
    #expect(warnings.first.count == BatchWarnings.limit)
    #expect(warnings.first.last == warning(499, "damaged"))
  }

  @Test func whatIsSaidOfSeveralPiecesIsThereOnce() {
    var warnings = BatchWarnings()
    for message in ["cut off", "damaged", "cut off"] { warnings.take(warning(0, message)) }
    warnings.take(warning(1, "cut off"))
    #expect((warnings.count, warnings.total, warnings.leftOut) == (2, 3, 0))
    #expect(warnings.first.map(\.message) == ["cut off", "damaged", "cut off"])
  }
}
