/// A graph that runs in a moment: half a second of picture and sound into a movie.
let smallGraph = """
  {
    "parameters": { "output": "small.mp4" },
    "nodes": {
      "picture": { "type": "testVideo", "width": 160, "height": 120, "seconds": 0.5 },
      "tone":    { "type": "testAudio", "seconds": 0.5 },
      "video":   { "type": "h264Encoder", "preset": "ultrafast", "threads": 4 },
      "audio":   { "type": "aacEncoder" },
      "movie":   { "type": "mp4Sink", "path": "${output}" }
    },
    "wires": ["picture -> video -> movie.video", "tone -> audio -> movie.audio"]
  }
  """

/// A graph that goes on until it is ended, as time passes.
let endlessGraph = """
  {
    "nodes": {
      "picture": { "type": "testVideo", "width": 160, "height": 120, "live": true },
      "tone":    { "type": "testAudio", "live": true },
      "video":   { "type": "h264Encoder", "preset": "ultrafast" },
      "audio":   { "type": "aacEncoder" },
      "movie":   { "type": "mp4Sink", "path": "endless.mp4" }
    },
    "wires": ["picture -> video -> movie.video", "tone -> audio -> movie.audio"]
  }
  """
