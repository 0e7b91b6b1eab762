// Where CUDA's libraries are found beside the package of Python.
#include "src/support/cuda_library.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/catch.h"

using namespace cugrb;
namespace fs = std::filesystem;

namespace {

constexpr const char* packaged_file = "libcugrb_packaged.so.1";

}  // namespace

/// Runs as a copy of this program in a folder of packages.
TEST_CASE("cuda_library_of_a_package", "[.]") {
  CudaLibrary library = open_cuda_library("CUGRB_NO_SUCH_VARIABLE", {packaged_file});
  REQUIRE(library.failure.empty());
  double (*cosine)(double) = nullptr;
  library.find("cos", cosine);
  REQUIRE(library.failure.empty());
  CHECK(cosine(0) == 1);
}

TEST_CASE("a library of CUDA is found in NVIDIA's packages beside this one") {
  const fs::path site = fs::temp_directory_path() / ("cugrb_site_" + std::to_string(getpid()));
  const fs::path program = site / "cugrb" / "bin" / "program", folder = site / "nvidia" / "cu13" / "lib";
  fs::create_directories(program.parent_path());
  fs::create_directories(folder);
  fs::create_directories(site / "nvidia" / "another" / "lib");
  fs::copy_file("/proc/self/exe", program);
  fs::permissions(program, fs::perms::owner_all);
  const std::string run = program.string() + " cuda_library_of_a_package >/dev/null 2>&1";
  CHECK(std::system(run.c_str()) != 0);
  Dl_info libm{};
  REQUIRE(dladdr(dlsym(RTLD_DEFAULT, "cos"), &libm) != 0);
  fs::copy_file(libm.dli_fname, folder / packaged_file);
  CHECK(std::system(run.c_str()) == 0);
  fs::remove_all(site);
}

TEST_CASE("a library of CUDA that is nowhere is said to be missing, with what was tried and what helps") {
  const CudaLibrary library = open_cuda_library("CUGRB_NO_SUCH_VARIABLE", {packaged_file});
  CHECK(library.handle == nullptr);
  CHECK(library.failure.find(std::string("/usr/local/cuda/lib64/") + packaged_file) != std::string::npos);
  CHECK(library.failure.find("set CUGRB_NO_SUCH_VARIABLE to the path of libcugrb_packaged.so.1") !=
        std::string::npos);
}
