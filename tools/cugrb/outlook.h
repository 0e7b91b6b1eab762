// What a program would meet under `cugrb exec`, found out without running it.
#pragma once
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace cugrb::command {

/// Of a program and its arguments, an object of
///
///   program    its path
///   graphblas  {path, version} of the library that it would load, as the system's loader or its Python finds
///   it;
///              missing where it names none
///   device     the device that calls would run on; missing where there is none
///   offloaded  whether calls would be offloaded; null where the program names no GraphBLAS
///   reason     why not
///
/// Failure when there is no such program.
nlohmann::json outlook_of(const std::vector<std::string>& program);

/// The part {version, device, offloaded, reason}, of the GraphBLAS that libcugrb.so stands before in this
/// process.
nlohmann::json outlook_of_loaded_library();

void print_outlook(const nlohmann::json& outlook);

}  // namespace cugrb::command
