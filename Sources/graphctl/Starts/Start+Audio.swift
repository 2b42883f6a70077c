extension Start {
  /// Speech at the loudness of podcasts.
  static let podcast = Start(
    name: "podcast", help: "Make a podcast of a recording: even, and of the usual loudness.",
    json: """
      {
        "description": [
          "Makes a podcast of a recording of speech: without rumble, even, and of the usual loudness.",
          "-16 LUFS is what podcasts have, -14 what music has on streaming services.",
          "Another encoder and sink after `level` write a second file: opusEncoder and audioSink, say."
        ],
        "parameters": { "input": null, "output": "podcast.m4a", "title": "A podcast", "loudness": -16 },
        "nodes": {
          "source":  { "type": "file", "path": "${input}" },
          "decoder": { "type": "decoder" },
          "tone":    { "type": "equalizer", "bands": [{ "type": "highPass", "frequency": 80 }] },
          "even":    { "type": "compressor", "threshold": -24, "ratio": 3 },
          "level":   { "type": "loudnessNormalize", "target": "${loudness}", "ceiling": -1.5 },
          "audio":   { "type": "aacEncoder", "bitRate": "128k" },
          "file":    { "type": "mp4Sink", "path": "${output}", "title": "${title}" }
        },
        "wires": ["source.audio -> decoder -> tone -> even -> level -> audio -> file.audio"]
      }
      """)

  /// Audio without loss.
  static let flac = Start(
    name: "flac", help: "Keep a file's audio as FLAC.",
    json: """
      {
        "description": [
          "Keeps a file's audio as FLAC. What the file has encoded with loss stays as it sounds.",
          "For MP3 the encoder is `mp3Encoder`, for Ogg `opusEncoder` or `vorbisEncoder`."
        ],
        "parameters": { "input": null, "output": "audio.flac" },
        "nodes": {
          "source":  { "type": "file", "path": "${input}" },
          "decoder": { "type": "decoder" },
          "audio":   { "type": "flacEncoder" },
          "file":    { "type": "audioSink", "path": "${output}" }
        },
        "wires": ["source.audio -> decoder -> audio -> file"]
      }
      """)

  /// The points of a waveform.
  static let waveform = Start(
    name: "waveform", help: "Reduce a file's audio to the points of a waveform.",
    json: """
      {
        "description": [
          "Reduces a file's audio to the points of a waveform, as audiowaveform writes them.",
          "The ending of `output` says how: .json, .dat or .csv.",
          "`graphctl waveform` does the same without a graph."
        ],
        "parameters": { "input": null, "output": "waveform.json", "samplesPerPixel": 256 },
        "nodes": {
          "source":   { "type": "file", "path": "${input}" },
          "waveform": { "type": "waveform", "samplesPerPixel": "${samplesPerPixel}" },
          "points":   { "type": "peaksSink", "path": "${output}" }
        },
        "wires": ["source.audio -> waveform -> points"]
      }
      """)

  /// A waveform as a picture.
  static let waveformPicture = Start(
    name: "waveform-picture", help: "Draw a file's audio as a waveform.",
    json: """
      {
        "description": [
          "Draws a file's audio as a waveform, as PNG or SVG by the ending of `output`.",
          "`style` is normal, bars or mirrored; `points` should be the picture's width in pixels."
        ],
        "parameters": {
          "input": null, "output": "waveform.png", "style": "bars", "width": 1600, "height": 300
        },
        "nodes": {
          "source":   { "type": "file", "path": "${input}" },
          "waveform": { "type": "waveform", "points": "${width}" },
          "picture":  { "type": "waveformImage", "path": "${output}", "style": "${style}",
                        "width": "${width}", "height": "${height}" }
        },
        "wires": ["source.audio -> waveform -> picture"]
      }
      """)
}
