import CGStreamer
import Glibc
import GraphKitSystem

/// Finds the streams of a file by running its demuxer and parsers up to the first samples.
package enum Discovery {
  /// A stream of a file.
  package struct Stream: Sendable {
    /// The same at each reading of the file.
    package var identifier: String
    package var caps: Caps
    /// In nanoseconds, where the file says.
    package var duration: UInt64?
    /// When its first sample is presented, in the stream's own time in nanoseconds, where that was
    /// asked for.
    package var firstTime: UInt64?
    /// What the file says of it, by GStreamer's names of tags.
    package var tags: [String: String] = [:]
    /// What the file says of itself.
    package var fileTags: [String: String] = [:]
    /// The pictures that come with either.
    package var pictures: [Event.Picture] = []
    /// How long the file's tags say that it is, in nanoseconds.
    package var taggedDuration: UInt64?
  }

  /// Why a file's streams can't be had.
  package enum Failure: Error {
    /// GStreamer's own words.
    case failed(String)
    /// The file was read, and no stream was found in it.
    case nothingFound
    /// For some time nothing new of the file was read, and nothing was found in it, though the
    /// element of this name, where one got as far, was at work.
    case stuck(String?)
    /// There is more to read, and nothing was found in time.
    case timedOut
    /// It has no media, and names where they are: what it is.
    case playlist(String)
    /// The element of this name isn't installed.
    case missing(String)
  }

  /// The streams of a file, in its own order. It must be a regular file: a pipe would block. Where
  /// the file says how many there are, `least` has them waited for: GStreamer's reader of FLV shows
  /// one after the other. With `times` the streams' first samples are waited for too, and with `tags` for
  /// half a second, since what a stream says of itself comes before them. The file
  /// is read with `changes`. One of a web server is read through `file`.
  package static func streams(
    of path: String, in file: File, within nanoseconds: UInt64, least: Int = 0, times: Bool = false,
    tags: Bool = false, changes: FileChanges = FileChanges()
  ) throws(Failure) -> [Stream] {
    Library.start(plugins: nil)
    let pipeline = Element.pipeline("discovery")
    let source = try make("filesrc")
    let parser = try make("parsebin")
    parser.takeFormatsFromSamples()
    // Property text that begins with a quotation mark would be unquoted.
    let place = file.web == nil ? path : file.ownPath
    _ = source.set("location", place.hasPrefix("\"") ? "./\(place)" : place)
    pipeline.add(source)
    pipeline.add(parser)
    guard source.link(to: parser), let bus = pipeline.bus else { throw .failed("no link") }
    let found = Monitor(Found(least: least, needsTimes: times))
    // It isn't woken: the thread that finds it is about to link what it has found.
    parser.refusePlaylists { kind in found.withLock { $0.playlist = kind } }
    parser.onChild { child in
      guard child.findsStreamsOneByOne else { return }
      let number = found.withLock { found in
        found.searching.append(true)
        return found.searching.count - 1
      }
      child.onNoMorePads {
        // It says so again at the end.
        found.withLock { $0.searching[number] = false }
        bus.wake()
      }
    }
    parser.onPadAdded { pad in
      // Known before its first sample comes by, which asks for its format.
      found.withLock { $0.pads.append(pad) }
      // A pad may come before the parser after it has seen enough to know its format, so samples
      // must go on; without a link they would end in an error.
      pad.noteFirst(in: found, bus, wakes: times || tags)
      pad.dropSamples { bus.wake() }
      bus.wake()
    }
    source.showFile(with: changes, from: file.web == nil ? nil : file) { bus.wake() }
    let blocks = BlockCount()
    source.pad("src")?.count(blocks)
    defer { pipeline.abandonOrStop() }
    pipeline.setState(.paused)
    let awaited = file.web == nil ? nanoseconds : nanoseconds * 3
    try ProcessTime.share { () throws(Failure) in
      try wait(for: found, in: pipeline, bus, until: now() + awaited, blocks, file)
    }
    if tags { waitForSamples(of: found, bus) }
    // Pads hold what looks at their samples, which holds what was found.
    let result = found.withLock { found in
      defer { found.pads = [] }
      return found
    }
    return result.pads.compactMap { pad in
      var stream = stream(
        pad, result.formats[pad.name], times ? result.times[pad.name] : nil)
      if tags {
        let said = pad.tagEvents
        stream?.tags = said.texts(ofFile: false)
        stream?.fileTags = said.texts(ofFile: true)
        stream?.pictures = said.pictures
        stream?.taggedDuration = said.duration
      }
      return stream
    }
  }

  fileprivate struct Found {
    let least: Int
    let needsTimes: Bool
    /// When the first sample of each pad is presented, by the pad's name.
    var times: [String: UInt64] = [:]
    /// The format of each pad's first sample: that of later ones may be another, and how far the file
    /// is read meanwhile depends on the machine.
    var formats: [String: Caps] = [:]
    var pads: [Pad] = []
    /// What the file is, where it only names others.
    var playlist: String?

    /// Takes note of a pad's sample; whether it is the first with a time.
    mutating func note(_ time: UInt64?, of pad: String) -> Bool {
      if formats[pad] == nil { formats[pad] = pads.first { $0.name == pad }?.currentCaps }
      guard let time, times[pad] == nil else { return false }
      times[pad] = time
      return true
    }

    /// How many there will be, once the parser has said so.
    var expected: Int?
    /// For each reader that finds its streams one by one, whether it may yet find others.
    var searching: [Bool] = []

    var isComplete: Bool {
      isExpectedThere && !searching.contains(true) && pads.count >= least
        && pads.allSatisfy { pad in
          pad.hasEnded || pad.isFormatKnown && (!needsTimes || times[pad.name] != nil)
        }
    }

    /// Whether there is enough to go by when time is up: a stream without samples shows nothing.
    var isUsable: Bool { isExpectedThere && pads.contains { $0.isFormatKnown } }

    /// Grows with all that is found.
    var count: Int { pads.count + pads.count { $0.isFormatKnown } + times.count }

    private var isExpectedThere: Bool { expected.map { pads.count >= $0 } ?? false }
  }

  private static func make(_ factory: String) throws(Failure) -> Element {
    guard let element = Element(factory: factory, name: "discovery-\(factory)") else {
      throw .missing(factory)
    }
    return element
  }

  /// The interval at which the pipeline is checked for elements that still read, in nanoseconds,
  /// and how many checks in a row without one end the discovery: an element begins to read within
  /// one interval.
  private static let lookInterval: UInt64 = 250_000_000
  private static let patience = 4

  private static func wait(
    for found: Monitor<Found>, in pipeline: Element, _ bus: Bus, until deadline: UInt64,
    _ blocks: BlockCount, _ file: File
  ) throws(Failure) {
    var stillLooks = 0
    var watch = ReadWatch()
    while true {
      guard now() < deadline, let message = bus.next(within: lookInterval) else {
        if let kind = found.withLock({ $0.playlist }) { throw .playlist(kind) }
        if let failure = file.web?.failure { throw .failed(failure.text) }
        // While bytes are on their way, no thread works.
        let progress = blocks.count &+ found.withLock { $0.count } &+ WebFile.arrivedBytes
        let isStuck = file.web?.isAwaited != true && watch.isStuck(progress: progress)
        // A parser that gives up while it is being linked posts no message.
        stillLooks = pipeline.hasActiveTask ? 0 : stillLooks + 1
        guard stillLooks == patience || isStuck || now() >= deadline else { continue }
        if found.withLock({ $0.isUsable }) { return }
        if stillLooks == patience { throw .nothingFound }
        throw isStuck ? .stuck(pipeline.readerName) : .timedOut
      }
      switch message {
      case .streams(let count): found.withLock { $0.expected = count }
      case .error(_, let text, _): throw .failed(text)
      default: break
      }
      if found.withLock({ $0.isComplete }) {
        let kinds = found.withLock { $0.pads.compactMap { $0.currentCaps?.playlistKind } }
        if let kind = kinds.first { throw .playlist(kind) }
        return
      }
    }
  }

  /// Waits until each stream has shown a sample, for half a second at most: subtitles may come late.
  private static func waitForSamples(of found: Monitor<Found>, _ bus: Bus) {
    let deadline = now() + 500_000_000
    while now() < deadline,
      found.withLock({ found in found.pads.contains { found.times[$0.name] == nil } })
    {
      _ = bus.next(within: 50_000_000)
    }
  }

  private static func stream(_ pad: Pad, _ format: Caps?, _ firstTime: UInt64?) -> Stream? {
    guard let caps = format ?? pad.currentCaps else { return nil }
    return Stream(
      identifier: pad.streamIdentifier ?? pad.name, caps: caps, duration: pad.duration,
      firstTime: firstTime)
  }

  private static func now() -> UInt64 { UInt64(g_get_monotonic_time()) * 1_000 }
}

extension Element {
  /// Whether it reads a container of which each stream is known only with its first packet, however much
  /// of the others comes before that. Of others the parser says at once what is in them.
  fileprivate var findsStreamsOneByOne: Bool { factoryName == "mpegpsdemux" }
}

extension Pad {
  var isFormatKnown: Bool { currentCaps != nil }

  /// Whether the end of the stream has come by.
  package var hasEnded: Bool {
    guard let event = unsafe gst_pad_get_sticky_event(raw, GST_EVENT_EOS, 0) else { return false }
    unsafe gst_event_unref(event)
    return true
  }

  /// Remembers what the pad's first sample shows.
  fileprivate func noteFirst(in found: Monitor<Discovery.Found>, _ bus: Bus, wakes: Bool) {
    replaceBuffers { [name] buffer in
      let time = buffer.presentationTime
      if found.withLock({ $0.note(time, of: name) }), wakes { bus.wake() }
      return buffer
    }
  }

  /// Throws away every sample, and calls `body` after every event that stays with the pad, such
  /// as that of its format, on the pad's thread.
  func dropSamples(onEvent body: @escaping @Sendable () -> Void) {
    let samples = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(rawValue: samples), { _, _, _ in GST_PAD_PROBE_DROP }, nil, nil)
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      { _, _, box in
        guard let box = unsafe box else { return GST_PAD_PROBE_OK }
        unsafe Unmanaged<Box<@Sendable () -> Void>>.fromOpaque(box).takeUnretainedValue().value()
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }

  /// The length of the stream, in nanoseconds, where the file says.
  package var duration: UInt64? {
    var duration: gint64 = -1
    guard unsafe gst_pad_query_duration(raw, GST_FORMAT_TIME, &duration) != 0, duration >= 0 else {
      return nil
    }
    return UInt64(duration)
  }
}
