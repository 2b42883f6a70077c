import TestTools
import Testing

@testable import GraphKit
@testable import Media

@Suite(.inTurn) struct CapsParserTests {
  @Test func readsEveryShapeOfValue() {
    let text = #"""
      audio/x-raw(memory:SystemMemory, meta:Foo), rate=(int){ 8000, [ 1, 4 ] }, a=(int)< 1, 2 >, \#
      step=(int)[ 2, 10, 2 ], s=(structure)[foo, b="]", c=(int)1;], d=(double)[ 0, 2.5 ], \#
      u=(string)"a\ \"b\"\;\303\251", e=(string)"", bare=a\ b, buf=(buffer)0142c01e; x/y , z = 1 ;
      """#
    let structures = CapsStructure.all(in: text)
    #expect(structures?.count == 2)
    #expect(structures?.first?.features == ["memory:SystemMemory", "meta:Foo"])
    #expect(
      structures?.first?.fields == [
        "rate": .list([.one("8000"), .range("1", "4")]), "a": .opaque, "step": .opaque,
        "s": .opaque, "d": .range("0", "2.5"), "u": .one(#"a "b";é"#), "e": .one(""),
        "bare": .one("a b"), "buf": .one("0142c01e"),
      ])
    #expect(structures?.last == CapsStructure(name: "x/y", fields: ["z": .one("1")]))
  }

  @Test(arguments: [
    "", ";", ",", "a,", "a, b", "a, b=", "a, b=(int", "a, b=(int)", "a(", "a(x", "a, b={1",
    "a, b=[1,2",
    "a, b=\"x", "a, b=\"x\\", "a, b=1 }", "a, b={ 1, }", "a, =1", "a; ; b",
    "a, b=" + String(repeating: "{", count: 100_000),
    "a, b=" + String(repeating: "[", count: 100_000),
  ])
  func refusesWhatIsNoCaps(text: String) {
    #expect(CapsStructure.all(in: text) == nil)
  }

  @Test func survivesAnyText() {
    var random = MediaRandom(seed: 10)
    let pieces = Array(#"abx/=,;:(){}[]<>"\ 0123é"#) + ["\n", "\0"]
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...30, using: &random)
      let text = String((0..<length).map { _ in pieces.randomElement(using: &random)! })
      _ = FormatConstraint(capsTemplate: "video/x-raw, " + text)
      #expect(MediaFormat(capsText: text) == .other(caps: text))
    }
  }

  @Test func knowsWhatARangeHolds() {
    #expect(CapsValue.range("1", "3").admits("2") && !CapsValue.range("1", "3").admits("4"))
    #expect(CapsValue.range("1", "3").choices == ["1", "2", "3"])
    #expect(CapsValue.range("1", "17").choices == nil && CapsValue.range("3", "1").choices == nil)
    #expect(CapsValue.range("\(Int.min)", "\(Int.max)").choices == nil)
    #expect(CapsValue.list([.one("a"), .opaque]).choices == nil)
  }
}
