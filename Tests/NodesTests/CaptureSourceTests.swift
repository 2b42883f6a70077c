import GraphKit
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct CaptureSourceTests {
  private let empty = FakeEnvironment()
  private let equipped = FakeEnvironment(there: [
    .camera: [Device(identifier: "/dev/video2", name: "Webcam")],
    .microphone: [Device(identifier: "pulse", name: "PulseAudio")],
    .screen: [Device(identifier: ":7", name: "X11")],
  ])

  @Test func testPictureStandsInForACameraAndSaysSo() throws {
    var camera = Camera()
    (camera.width, camera.height) = (320, 240)
    let notices = try camera.resolve(in: empty)
    #expect(notices == ["no camera among the devices /dev/video*: using a live test pattern"])
    #expect(camera.traits.isLive)
    #expect(try camera.factories() == ["videotestsrc", "capsfilter"])
    #expect(try camera.properties(of: "videotestsrc")["is-live"] == "true")
    let caps = try #require(try camera.properties(of: "capsfilter")["caps"])
    #expect(caps.contains("320") && caps.contains("240") && caps.contains("30"))
  }

  @Test func takesTheFirstCamera() throws {
    var camera = Camera()
    #expect(try camera.resolve(in: equipped) == [])
    #expect(try camera.properties(of: "v4l2src") == ["device": "/dev/video2"])
  }

  @Test func jpegCamerasAreDecoded() throws {
    var camera = Camera()
    camera.transfer = .jpeg
    _ = try camera.resolve(in: equipped)
    #expect(try camera.factories()[...2] == ["v4l2src", "capsfilter", "jpegdec"])
  }

  @Test func aCameraThatIsNotThereIsAnErrorThatNamesTheOthers() {
    var camera = Camera()
    camera.device = "/dev/video9"
    #expect(
      throws: NodeError(
        "there is no camera `/dev/video9`", remedy: "write `/dev/video2` or `auto`", key: "device")
    ) { try camera.resolve(in: equipped) }
  }

  @Test func testToneStandsInForAMicrophoneAndSaysSo() throws {
    var microphone = Microphone()
    #expect(try microphone.resolve(in: empty).count == 1)
    #expect(try microphone.factories() == ["audiotestsrc", "capsfilter"])
    #expect(microphone.traits.isLive)
  }

  @Test(
    arguments: [
      ("auto", "pulsesrc", nil), ("pulse", "pulsesrc", nil),
      ("pulse:null.monitor", "pulsesrc", "null.monitor"), ("alsa:hw:1,0", "alsasrc", "hw:1,0"),
    ] as [(String, String, String?)])
  func microphonesByName(_ device: String, _ factory: String, _ name: String?) throws {
    var microphone = Microphone()
    microphone.device = device
    #expect(try microphone.resolve(in: equipped) == [])
    #expect(try microphone.properties(of: factory)["device"] == name)
  }

  @Test func recordsAPartOfTheScreen() throws {
    var screen = Screen()
    (screen.x, screen.y, screen.width, screen.height) = (10, 20, 640, 480)
    #expect(try screen.resolve(in: equipped) == [])
    let properties = try screen.properties(of: "ximagesrc")
    #expect(properties["display-name"] == ":7")
    #expect(properties["endx"] == "649" && properties["endy"] == "499")
    #expect(screen.portDeclarations[0].format.width == 640)
  }

  @Test func testPictureStandsInForAScreen() throws {
    var screen = Screen()
    #expect(try screen.resolve(in: empty).count == 1)
    #expect(try screen.factories() == ["videotestsrc", "capsfilter"])
    #expect(screen.portDeclarations[0].format.width == 1280)
  }

  @Test func halfASizeIsAProblem() {
    var screen = Screen()
    screen.width = 100
    #expect(screen.problem?.key == "height")
  }
}
