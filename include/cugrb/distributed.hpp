// Programs of several processes, one a GPU: ranks, and vectors and matrices in parts. See docs/processes.md.
#pragma once
#include "cugrb/distributed/context.hpp"
#include "cugrb/distributed/deal.hpp"
#include "cugrb/distributed/exchange.hpp"
#include "cugrb/distributed/matrix.hpp"
