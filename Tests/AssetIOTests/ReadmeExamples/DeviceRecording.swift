import AssetIO
import GraphKit

/// Records what a camera hands out, from five seconds before something moves until it is still again.
func record(
  _ frames: AsyncStream<ReadySampleBuffer>, of camera: VideoFormat, to path: String,
  moves: @escaping (ReadySampleBuffer) -> Bool
) async throws {
  let recorder = try MovieRecorder(path: path, preRoll: 5)
  let pictures = try recorder.input(for: .video(camera))
  try recorder.prepare()
  for await frame in frames {
    try pictures.append(frame)
    switch (recorder.state, moves(frame)) {
    case (.preparing, true), (.paused, true):
      try recorder.record()
      if recorder.state == .recording { try recorder.mark("Motion") }
    case (.recording, false): try recorder.pause()
    default: break
    }
  }
  if recorder.state == .preparing { await recorder.cancel() } else { try await recorder.finish() }
  if recorder.lateCount > 0 { print("\(recorder.lateCount) frames came too fast") }
}
