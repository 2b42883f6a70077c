import Media

/// The frame of a track that is presented last, in a track's units or a stream's time.
package struct LastFrame<Time: Hashable & Sendable>: Hashable, Sendable {
  /// When it is presented.
  package var time: Time
  /// How long.
  package var duration: Time
}

extension MovieIndex {
  /// The frame that is presented last, where it isn't presented as long as the table of samples says: of frames
  /// out of order and of a varying rate, that says when the next is decoded. How long it is then is in the
  /// edit list. `nil` where that is what the table says, or the file doesn't.
  func lastFrame(of track: MovieTrack) -> LastFrame<Int>? {
    guard track.kind == .encodedVideo, timescale > 0, track.timescale > 0,
      isReorderedAtVaryingRate(track), let part = track.edits.last, part.mediaTime >= 0,
      part.duration > 0, track.edits.dropLast().allSatisfy({ $0.mediaTime < 0 }),
      !goesOn(after: part, of: track), let (time, stated) = lastPresented(of: track)
    else { return nil }
    let end = part.mediaTime &+ scaled(part.duration, from: timescale, to: track.timescale)
    // Times that can't be counted are no movie's, nor is a frame that a table can't have.
    guard part.mediaTime < Self.latest, end < Self.latest, time > -Self.latest, end > time,
      end - time <= Int(UInt32.max)
    else { return nil }
    let unit = track.timescale / timescale + 1
    guard abs(end - time - stated) > unit else { return nil }
    return LastFrame(time: time, duration: end - time)
  }

  private static var latest: Int { 1 << 60 }

  private func isReorderedAtVaryingRate(_ track: MovieTrack) -> Bool {
    guard let durations = data.first("stts", in: track.table),
      data.first("ctts", in: track.table) != nil
    else { return false }
    return data.u32(durations.content + 4) ?? 0 > 1
  }

  /// When the frame is presented that is presented last, and how long the table says that it is.
  private func lastPresented(of track: MovieTrack) -> (time: Int, duration: Int)? {
    // A table has four bytes for each frame's size: a count beyond that is wrong.
    guard track.sampleCount > 0, track.sampleCount <= data.count / 4 else { return nil }
    var durations = SampleRuns(data, data.first("stts", in: track.table))
    var offsets = SampleRuns(data, data.first("ctts", in: track.table))
    var found: (time: Int, duration: Int)?
    var decode = 0
    for _ in 0..<track.sampleCount {
      guard let duration = durations.next(), duration >= 0, let offset = offsets.next() else {
        return nil
      }
      if decode &+ offset > found?.time ?? .min { found = (decode &+ offset, duration) }
      decode = decode &+ duration
    }
    return found
  }

  /// The same in the time that the demuxer gives its packets.
  func lastPacket(of track: MovieTrack) -> LastFrame<MediaTime>? {
    guard let frame = lastFrame(of: track), let scale = Int32(exactly: track.timescale) else {
      return nil
    }
    let time = frame.time &+ compositionShift(of: track)
    return LastFrame(
      time: MediaTime(value: Int64(time), timescale: scale),
      duration: MediaTime(value: Int64(frame.duration), timescale: scale))
  }
}
