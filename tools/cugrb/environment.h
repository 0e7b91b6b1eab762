// Settings for a program that runs under libcugrb: options of the command line become CUGRB_* variables.
#pragma once
#include <CLI/CLI.hpp>

#include <map>
#include <string>

namespace cugrb::command {

/// Variables to set for a child process (or for this one, before exec).
using Environment = std::map<std::string, std::string>;

/// Adds --offload, --device, --cache, --memory-limit, --verify, --force, --deterministic, which fill
/// `environment`.
void add_settings(CLI::App& app, Environment& environment);

/// Puts the variables into this process's environment.
void apply(const Environment& environment);

/// Reads all CUGRB_* variables of this process; a wrong one is a Failure with exit code 2.
void check_settings();

/// The path of this command. Failure where /proc does not tell.
std::string own_executable();

/// The path of libcugrb.so: beside this command (../lib) or where it was installed. Failure when it is
/// nowhere.
std::string library_path();

/// LD_PRELOAD's value with the library in front of what is there. Failure when the loader could not read it.
std::string preload_value(const std::string& library);
/// What is there without libcugrb.so.
std::string preload_without_cugrb();

/// Takes the GraphBLAS library that this command uses itself, and what that needs, out of LD_PRELOAD: a
/// program under exec brings its own. The package of Python starts the command so (python/cugrb/_command.py).
void forget_own_graphblas();

}  // namespace cugrb::command
