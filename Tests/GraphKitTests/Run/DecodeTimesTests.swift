import TestTools
import Testing

@testable import GraphKit

@Suite("When packets are decoded", .inTurn)
struct DecodeTimesTests {
  /// Decode times of packets that are presented at these times, as an element takes them out.
  private func decodeTimes(_ times: [Int64]) -> [Int64] {
    var (clock, result) = (DecodeTimes(), [Int64]())
    for (index, time) in times.enumerated() {
      clock.add(time)
      if index + 1 >= DecodeTimes.window, let next = clock.takeFirst() { result.append(next) }
    }
    while let next = clock.takeFirst() { result.append(next) }
    return result
  }

  private func expectOrder(_ decode: [Int64], _ presentation: [Int64]) {
    #expect(decode.count == presentation.count)
    #expect(zip(decode, presentation).allSatisfy { $0 <= $1 }, "\(decode)")
    #expect(zip(decode, decode.dropFirst()).allSatisfy { $0 < $1 }, "\(decode)")
  }

  /// `count` groups of an I or P picture and the three before it, the middle one first.
  private func groups(_ count: Int, from start: Int64 = 0) -> [Int64] {
    [start] + (0..<Int64(count)).flatMap { group in [4, 2, 1, 3].map { start + group * 4 + $0 } }
  }

  /// Times with room between them.
  private func spread(_ times: [Int64]) -> [Int64] { times.map { $0 * 1000 } }

  @Test("pictures in order are decoded when they are presented")
  func inOrder() { #expect(decodeTimes([3, 4, 5, 9]) == [3, 4, 5, 9]) }

  @Test("reordered pictures are decoded in time, the first before the beginning")
  func reordered() {
    let times = groups(20)
    let decode = decodeTimes(times)
    expectOrder(decode, times)
    #expect(decode == (0..<81).map { $0 - 2 })
  }

  @Test("an order that gets deeper behind the first window is made room for")
  func deeper() {
    let times = spread((0..<40) + groups(10, from: 40))
    expectOrder(decodeTimes(times), times)
  }

  @Test("the deepest order there is")
  func deepest() {
    let order: [Int64] = [0, 17] + (1...16).reversed() + (18..<60)
    expectOrder(decodeTimes(spread(order)), spread(order))
    let late: [Int64] = (0..<40) + order.map { $0 + 40 }
    expectOrder(decodeTimes(spread(late)), spread(late))
  }

  @Test("a gap stays a gap, and no packet is decoded after it is presented")
  func gap() {
    let times = groups(6).map { $0 > 9 ? $0 + 100 : $0 }
    expectOrder(decodeTimes(times), times)
  }

  @Test("nothing, and one packet")
  func few() {
    #expect(decodeTimes([]) == [])
    #expect(decodeTimes([7]) == [7])
    expectOrder(decodeTimes([0, 2, 1]), [0, 2, 1])
  }
}
