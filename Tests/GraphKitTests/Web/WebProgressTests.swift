import GraphKitSystem
import TestTools
import Testing

@Suite(.inTurn) struct WebProgressTests {
  private static let size = 100_000_000

  private func part(_ start: Int, of size: Int = size, tag: String = "a") throws -> WebResponse {
    try #require(
      WebResponse(
        "HTTP/1.1 206 Part\r\nContent-Range: bytes \(start)-\(size - 1)/\(size)\r\n"
          + "ETag: \"\(tag)\"\r\n\r\n"))
  }

  private func whole(_ fields: String) throws -> WebResponse {
    try #require(WebResponse("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n"))
  }

  private func error(_ status: Int, _ fields: String = "A: b") throws -> WebResponse {
    try #require(WebResponse("HTTP/1.1 \(status) No\r\n\(fields)\r\n\r\n"))
  }

  /// A file of which the first reader has had its bytes, of a request that goes on.
  private func opened(_ response: WebResponse, _ count: Int = 10) throws -> WebProgress {
    var progress = WebProgress()
    progress.enter()
    progress.want(0..<1)
    progress.begin(try #require(progress.nextRequest))
    try take(response, in: &progress)
    progress.add(count)
    return progress
  }

  private func take(_ response: WebResponse, in progress: inout WebProgress) throws {
    let isTaken = progress.take(response)
    try #require(isTaken)
  }

  private static let cut = WebProgress.Ending.exited(code: 18, words: "cut")

  @Test func aRequestGoesOnToWhatIsNear() throws {
    var progress = try opened(part(0))
    #expect(progress.size == Self.size && progress.has(0..<10) && !progress.has(0..<11))
    progress.want(500_000..<500_010)
    #expect(!progress.isToMove && progress.hasRoom)
  }

  @Test func whatIsFarIsAskedForAtOnce() throws {
    var progress = try opened(part(0))
    progress.want(90_000_000..<90_000_010)
    #expect(progress.isToMove)
    progress.end(.killed, nil)
    #expect(progress.nextRequest == WebProgress.Request(start: 90_000_000, pause: 0))
  }

  /// However many jumps there are, none counts as a request that brought nothing.
  @Test func jumpsBringMoreAndMore() throws {
    var progress = try opened(part(0))
    var brought: [Int] = []
    for number in 1...40 {
      let start = number % 2 == 0 ? number * 1_000_000 : 90_000_000 - number * 1_000_000
      var count = 0
      progress.want(start..<start + 10)
      while !progress.isToMove {
        progress.add(1 << 14)
        count += 1 << 14
        progress.want(start..<start + 10)
      }
      brought.append(count)
      progress.end(.killed, nil)
      let request = try #require(progress.nextRequest)
      #expect(request == WebProgress.Request(start: start, pause: 0))
      progress.begin(request)
      try take(part(start), in: &progress)
    }
    #expect(brought.first == 0 && brought[2] == 2 << 16 && brought.last == 1 << 20)
  }

  @Test func aRequestStopsAheadOfItsReaders() throws {
    var progress = try opened(part(0), 1 << 20)
    #expect(progress.hasRoom)
    progress.add(2 << 20)
    #expect(!progress.hasRoom)
    progress.want(3 << 20..<4 << 20)
    #expect(progress.hasRoom && !progress.isToMove)
  }

  @Test func aConnectionThatIsCutIsMadeAgainWhereItWas() throws {
    var progress = try opened(part(0))
    for place in 1...20 {
      progress.end(Self.cut, try part(0))
      progress.want(0..<1_000)
      #expect(progress.nextRequest == WebProgress.Request(start: place * 10, pause: 0))
      progress.begin(try #require(progress.nextRequest))
      try take(part(place * 10), in: &progress)
      progress.add(10)
    }
    #expect(progress.failure == nil && progress.has(0..<210))
  }

  @Test func requestsThatBringNothingComeLaterAndLater() throws {
    var progress = try opened(part(0))
    var pauses: [Double] = []
    progress.end(Self.cut, nil)
    while progress.failure == nil {
      progress.want(0..<1_000)
      let request = try #require(progress.nextRequest)
      pauses.append(request.pause)
      progress.begin(request)
      progress.end(.exited(code: 7, words: "no"), nil)
    }
    #expect(pauses.reduce(0, +) < 1 && pauses == pauses.sorted() && pauses.count == 6)
    #expect(progress.failure == .cut(at: 10, size: Self.size, takesRanges: true))
  }

  @Test func aServerWithoutRangesIsReadFromTheFront() throws {
    var progress = try opened(whole("Content-Length: \(Self.size)"))
    progress.want(90_000_000..<90_000_010)
    #expect(!progress.isToMove && progress.hasRoom)
    progress.end(Self.cut, nil)
    progress.want(90_000_000..<90_000_010)
    #expect(progress.nextRequest?.start == 0)
  }

  @Test func oneThatAnswersWithTheWholeHasNoRanges() throws {
    var progress = try opened(whole("Content-Length: \(Self.size)\r\nAccept-Ranges: bytes"))
    progress.want(90_000_000..<90_000_010)
    progress.end(.killed, nil)
    let request = try #require(progress.nextRequest)
    #expect(request.start == 90_000_000)
    progress.begin(request)
    try take(whole("Content-Length: \(Self.size)"), in: &progress)
    #expect(progress.place == 0)
    progress.want(90_000_000..<90_000_010)
    #expect(!progress.isToMove)
  }

  @Test func anotherVersionIsAFailure() throws {
    for other in [
      try part(10, tag: "b"), try part(10, of: 99), try error(416, "Content-Range: bytes */9"),
    ] {
      var progress = try opened(part(0))
      progress.end(Self.cut, try part(0))
      progress.want(0..<20)
      progress.begin(try #require(progress.nextRequest))
      if other.status == 206 { _ = progress.take(other) }
      progress.end(.exited(code: 22, words: "no"), other)
      #expect(progress.failure == .changed)
    }
  }

  @Test func aFileWithoutALengthEndsWhereItEnds() throws {
    var progress = try opened(whole("Transfer-Encoding: chunked"))
    #expect(progress.size == nil)
    progress.want(0..<Int.max)
    #expect(progress.hasRoom)
    progress.add(90)
    progress.end(.exited(code: 0, words: ""), try whole("Transfer-Encoding: chunked"))
    #expect(progress.size == 100 && progress.has(0..<Int.max) && progress.failure == nil)
  }

  @Test func anEmptyFileHasAnEnd() throws {
    for (code, answer) in [
      (0, try whole("Content-Length: 0")), (22, try error(416, "Content-Range: bytes */0")),
    ] {
      var progress = WebProgress()
      progress.enter()
      progress.want(0..<1)
      progress.begin(try #require(progress.nextRequest))
      progress.end(.exited(code: Int32(code), words: ""), answer)
      #expect(progress.size == 0 && progress.has(0..<1) && progress.failure == nil)
    }
  }

  @Test(arguments: [
    (404, false, true), (401, false, true), (416, false, true), (503, true, false),
    (429, true, false),
  ]) func errorsOfServers(_ status: Int, _ isTemporary: Bool, _ isFinal: Bool) throws {
    var progress = WebProgress()
    progress.enter()
    for _ in 1...(isFinal ? 1 : 6) {
      progress.want(0..<1)
      #expect(progress.failure == nil)
      progress.begin(try #require(progress.nextRequest))
      progress.end(.exited(code: 22, words: "no"), try error(status))
    }
    #expect(progress.failure == .refused(status: status, reason: "No"))
    #expect(progress.failure?.isTemporary == isTemporary)
  }

  /// A name that isn't there, a certificate that isn't trusted: at the first request, not later.
  @Test(arguments: [(6, true), (60, false), (3, false), (127, false)] as [(Int32, Bool)])
  func whatCantBeReachedFailsAtOnce(_ code: Int32, _ isTemporary: Bool) throws {
    var progress = WebProgress()
    progress.enter()
    progress.want(0..<1)
    progress.begin(try #require(progress.nextRequest))
    progress.end(.exited(code: code, words: "no"), nil)
    #expect(progress.failure?.isTemporary == isTemporary)
    var later = try opened(part(0))
    later.end(.exited(code: code, words: "no"), nil)
    #expect((later.failure == nil) == isTemporary)
  }

  @Test func bytesThatAreEncodedAreAFailure() throws {
    var progress = WebProgress()
    progress.enter()
    progress.want(0..<1)
    progress.begin(try #require(progress.nextRequest))
    let isTaken = progress.take(try whole("Content-Encoding: gzip\r\nContent-Length: 9"))
    #expect(!isTaken)
    #expect(progress.failure == .encoded("gzip"))
  }
}
