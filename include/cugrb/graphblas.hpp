// The whole typed GraphBLAS API: include this one. See docs/api.md.
#pragma once
#include "cugrb/apply.hpp"
#include "cugrb/diagonal.hpp"
#include "cugrb/elementwise.hpp"
#include "cugrb/extract.hpp"
#include "cugrb/multiply.hpp"
#include "cugrb/reduce.hpp"
#include "cugrb/scalar.hpp"
#include "cugrb/user_defined.hpp"
