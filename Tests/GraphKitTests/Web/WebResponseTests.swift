import GraphKitSystem
import TestTools
import Testing

@Suite(.inTurn) struct WebResponseTests {
  private func response(_ lines: String...) -> WebResponse? {
    WebResponse((lines + ["", ""]).joined(separator: "\r\n"))
  }

  @Test func theLastOfSeveralCounts() throws {
    let found = try #require(
      response(
        "HTTP/1.1 302 Found", "Location: /b", "Content-Length: 5", "", "HTTP/2 206",
        "content-range:  bytes 100-199/1000 ", "etag: \"a\"", "curl: (6) no"))
    #expect(found.status == 206 && found.reason.isEmpty)
    #expect(found.start == 100 && found.size == 1_000 && found.takesRanges)
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1\r\n\r\n"])
  func oneThatIsntWholeIsNone(_ text: String) {
    #expect(WebResponse(text) == nil)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK", "Content-Length: 7", 7), ("HTTP/1.1 200 OK", "Content-Length: -7", nil),
    ("HTTP/1.1 200 OK", "Transfer-Encoding: chunked\r\nContent-Length: 7", nil),
    ("HTTP/1.1 206 Partial", "Content-Range: bytes 0-6/7\r\nContent-Length: 3", 7),
    ("HTTP/1.1 206 Partial", "Content-Range: bytes 0-6/*", nil),
    ("HTTP/1.1 206 Partial", "Content-Length: 7", nil),
    ("HTTP/1.1 416 No", "Content-Range: bytes */7\r\nContent-Length: 0", 7),
  ]) func theSizeIsThatOfTheWhole(_ first: String, _ fields: String, _ size: Int?) throws {
    #expect(try #require(response(first, fields)).size == size)
  }

  @Test(arguments: [
    ("ETag: \"a\"", "ETag: \"b\"", true), ("ETag: \"a\"", "ETag: \"a\"\r\nLast-Modified: x", false),
    ("ETag: W/\"a\"", "ETag: W/\"b\"", false), ("Last-Modified: x", "Last-Modified: y", true),
    ("Last-Modified: x", "ETag: \"a\"", false), ("Content-Length: 7", "Content-Length: 8", true),
    ("Content-Length: 7", "Transfer-Encoding: chunked", false),
  ]) func versionsDiffer(_ one: String, _ other: String, _ differ: Bool) throws {
    let (one, other) = (
      try #require(response("HTTP/1.1 200 OK", one)),
      try #require(response("HTTP/1.1 200 OK", other))
    )
    #expect(other.isOfAnotherVersion(than: one) == differ)
  }
}
