import GraphKit

extension Catalog {
  /// The node types that come with GraphKit.
  public static let builtIn = Catalog(named: [
    "camera": { NodeType(Camera.self) },
    "microphone": { NodeType(Microphone.self) },
    "screen": { NodeType(Screen.self) },
    "testVideo": { NodeType(TestVideo.self) },
    "testAudio": { NodeType(TestAudio.self) },
    "file": { NodeType(FileSource.self) },
    "peaksSource": { NodeType(PeaksSource.self) },
    "appInput": { NodeType(AppInput.self) },
    "decoder": { NodeType(Decoder.self) },
    "videoConvert": { NodeType(VideoConvert.self) },
    "audioConvert": { NodeType(AudioConvert.self) },
    "gain": { NodeType(Gain.self) },
    "channelMask": { NodeType(ChannelMask.self) },
    "pass": { NodeType(Pass.self) },
    "peaksZoom": { NodeType(PeaksZoom.self) },
    "waveform": { NodeType(Waveform.self) },
    "loudness": { NodeType(Loudness.self) },
    "h264Encoder": { NodeType(H264Encoder.self) },
    "hevcEncoder": { NodeType(HEVCEncoder.self) },
    "aacEncoder": { NodeType(AACEncoder.self) },
    "mp4Sink": { NodeType(MP4Sink.self) },
    "wavSink": { NodeType(WAVSink.self) },
    "peaksSink": { NodeType(PeaksSink.self) },
    "measurementSink": { NodeType(MeasurementSink.self) },
    "waveformImage": { NodeType(WaveformImage.self) },
    "nullSink": { NodeType(NullSink.self) },
    "preview": { NodeType(Preview.self) },
    "appOutput": { NodeType(AppOutput.self) },
    "gst": { NodeType(GStreamerElement.self) },
  ])
}
