import GraphKit

extension Catalog {
  /// The node types that come with GraphKit.
  public static let builtIn = Catalog([
    NodeType(Camera.self), NodeType(Microphone.self), NodeType(Screen.self),
    NodeType(TestVideo.self), NodeType(TestAudio.self), NodeType(FileSource.self),
    NodeType(PeaksSource.self), NodeType(AppInput.self),
    NodeType(Decoder.self), NodeType(VideoConvert.self), NodeType(AudioConvert.self),
    NodeType(Gain.self), NodeType(ChannelMask.self), NodeType(Pass.self),
    NodeType(PeaksZoom.self),
    NodeType(Waveform.self), NodeType(Loudness.self),
    NodeType(H264Encoder.self), NodeType(HEVCEncoder.self), NodeType(AACEncoder.self),
    NodeType(MP4Sink.self), NodeType(WAVSink.self), NodeType(PeaksSink.self),
    NodeType(WaveformImage.self), NodeType(NullSink.self), NodeType(AppOutput.self),
    NodeType(GStreamerElement.self),
  ])
}
