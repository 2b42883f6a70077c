extension Start {
  /// A camera and a microphone.
  static let record = Start(
    name: "record", help: "Record a camera and a microphone into a movie.",
    json: """
      {
        "description": [
          "Records a camera and a microphone into a movie, until `seconds` are over or Ctrl-C ends it.",
          "Without such devices a test pattern and a test tone are recorded.",
          "`graphctl nodes camera` lists what a camera can be asked for."
        ],
        "parameters": { "output": "record.mp4", "seconds": 10 },
        "nodes": {
          "camera":     { "type": "camera", "width": 1280, "height": 720, "frameRate": 30 },
          "microphone": { "type": "microphone" },
          "video":      { "type": "h264Encoder", "bitRate": "6Mbit/s" },
          "audio":      { "type": "aacEncoder", "bitRate": "128k" },
          "movie":      { "type": "mp4Sink", "path": "${output}", "seconds": "${seconds}" }
        },
        "wires": [
          "camera -> video -> movie.video",
          "microphone -> audio -> movie.audio"
        ]
      }
      """)

  /// A screen.
  static let screen = Start(
    name: "screen", help: "Record an X11 screen into a movie.",
    json: """
      {
        "description": [
          "Records an X11 screen into a movie, until `seconds` are over or Ctrl-C ends it.",
          "Without a screen a test pattern is recorded."
        ],
        "parameters": { "output": "screen.mp4", "seconds": 10 },
        "nodes": {
          "screen": { "type": "screen", "frameRate": 30 },
          "video":  { "type": "h264Encoder" },
          "movie":  { "type": "mp4Sink", "path": "${output}", "seconds": "${seconds}" }
        },
        "wires": ["screen -> video -> movie.video"]
      }
      """)

  /// A stream for players of HLS.
  static let hls = Start(
    name: "hls", help: "Write a file as an HLS and DASH stream of two sizes.",
    json: """
      {
        "description": [
          "Writes a stream of two sizes into a folder, for any web server and players of HLS and DASH.",
          "Further sizes are further inputs of the stream: `stream.video.3` and so on.",
          "With `camera` and `microphone` in place of `source` the stream is a live one."
        ],
        "parameters": { "input": null, "output": "stream", "segmentDuration": 4 },
        "nodes": {
          "source":  { "type": "file", "path": "${input}", "optional": true },
          "frames":  { "type": "decoder" },
          "sound":   { "type": "decoder" },
          "large":   { "type": "scale", "height": 720 },
          "small":   { "type": "scale", "height": 360 },
          "largest": { "type": "h264Encoder", "bitRate": "3Mbit/s" },
          "least":   { "type": "h264Encoder", "bitRate": "800k" },
          "audio":   { "type": "aacEncoder", "bitRate": "128k" },
          "stream":  { "type": "hlsSink", "path": "${output}", "segmentDuration": "${segmentDuration}" }
        },
        "wires": [
          "source.video -> frames",
          "frames -> large -> largest -> stream.video",
          "frames -> small -> least -> stream.video.2",
          "source.audio -> sound -> audio -> stream.audio"
        ]
      }
      """)
}
