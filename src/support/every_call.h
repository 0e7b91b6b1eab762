// What every call of the program asks for, side by side in memory.
#pragma once

/// Before the definition of a variable that the wrappers read in every call: the linker puts all of them into
/// one section. The real library's work drives them out of the first-level cache, and each line of it that
/// has to be fetched again costs the next forwarded call some nanoseconds.
#define CUGRB_READ_BY_EVERY_CALL [[gnu::section("cugrb_every_call")]]
