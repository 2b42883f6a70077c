import TestTools
import Testing

@testable import GraphKitSystem

/// What browsers ask of a preview's page.
@Suite(.inTurn) struct ImageRequestTests {
  private func subject(_ text: String, isLocal: Bool = true) -> ImageRequest.Subject? {
    ImageRequest(Array(text.utf8), isLocal: isLocal)?.subject
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", ImageRequest.Subject.images),
    ("GET /?a=1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n", .images),
    ("GET /still.jpg HTTP/1.0\n\n", .newest),
    ("HEAD /still.jpg HTTP/1.1\r\nhost:localhost\r\n\r\n", .newest),
    ("GET http://127.0.0.1:8080/still.jpg HTTP/1.1\r\nHost: a\r\n\r\n", .newest),
    ("GET HTTP://[::1] HTTP/1.1\r\n\r\n", .images),
    ("GET http://example.org/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", .refusal(403, "Forbidden")),
    ("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", .refusal(403, "Forbidden")),
    (
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: example.org\r\n\r\n",
      .refusal(400, "Bad Request")
    ),
    ("GET / HTTP/2.0\r\n\r\n", .refusal(400, "Bad Request")),
    ("GET /\r\n\r\n", .refusal(400, "Bad Request")), ("\r\n\r\n", .refusal(400, "Bad Request")),
    ("POST / HTTP/1.1\r\n\r\n", .refusal(405, "Method Not Allowed")),
    ("GET /passwd HTTP/1.1\r\n\r\n", .refusal(404, "Not Found")),
  ])
  func requestsAreAnswered(_ text: String, _ answer: ImageRequest.Subject) {
    #expect(subject(text) == answer)
  }

  @Test func otherMachinesMayUseAnyName() {
    #expect(subject("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", isLocal: false) == .images)
  }

  @Test func whatIsNotWholeWaitsAsLongAsItIsShort() {
    #expect(subject("GET / HTTP/1.1\r\nHost: a") == nil)
    let long = "GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 20_000)
    #expect(subject(long) == .refusal(431, "Request Too Large"))
  }
}
