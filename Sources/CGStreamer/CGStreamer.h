#ifndef GRAPHKIT_CGSTREAMER_H
#define GRAPHKIT_CGSTREAMER_H

#include <gst/gst.h>
#include <gst/base/base.h>
#include <gst/video/video.h>
#include <gst/video/gstvideoencoder.h>
#include <gst/audio/audio.h>
#include <gst/tag/tag.h>

#include "GIO.h"

#endif
