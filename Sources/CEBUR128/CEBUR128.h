#ifndef GRAPHKIT_CEBUR128_H
#define GRAPHKIT_CEBUR128_H

#include <ebur128.h>

#endif
