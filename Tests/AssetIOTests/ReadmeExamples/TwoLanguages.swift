import AssetIO
import GraphKit

/// Writes a film's audio in German and in English, of which players present the English unless their
/// users choose the other.
func writeLanguages(
  german: [ReadySampleBuffer], english: [ReadySampleBuffer], _ format: AudioFormat, to path: String
) async throws {
  let writer = AssetWriter(path: path)
  var input = AssetWriterInput.audio(format)
  input.language = "de"
  let first = try writer.inputReceiver(for: input)
  input.language = "en"
  let second = try writer.inputReceiver(for: input)
  try writer.add(AssetWriterInputGroup(inputs: [first, second], defaultInput: second))
  try writer.start()
  try writer.startSession(at: .zero)
  for (one, other) in zip(german, english) {
    try await first.append(one)
    try await second.append(other)
  }
  try await writer.finishWriting()
}
