// Kernel packs: found before the disk cache and without a compiler, and ignored when anything about them is
// wrong.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "src/jit/compile.h"
#include "src/jit/kernel_pack.h"
#include "src/jit/process.h"
#include "src/support/trace.h"
#include "tests/catch.h"
#include "tests/jit/fixture.h"

using namespace cugrb;
using jit::KernelPack;
using jit::KernelPackWriter;

namespace {

const jit::Image small_image{"some bytes", "symbol", ""};

jit::Digest key_of(uint64_t number) { return jit::Digest().add(number); }

/// A pack of some images, whose keys are key_of(0), key_of(1) and so on.
std::string pack_of(int images) {
  KernelPackWriter writer;
  for (int i = 0; i < images; ++i)
    writer.add(i % 2 == 0 ? "sm_80" : "sm_90", key_of(uint64_t(i)),
               {"bytes of " + std::to_string(i), "symbol", ""});
  const std::string path = fixture::new_directory() + "/kernels.pack";
  jit::write_file(path, writer.content());
  return path;
}

void overwrite(const std::string& path, size_t at, char value) {
  std::string text = jit::read_file(path);
  text[at] = value;
  jit::write_file(path, text);
}

/// Whether it is not used for this reason.
void check_refused(const std::string& path, const std::string& why) {
  const KernelPack pack(path);
  INFO(pack.refusal());
  CHECK(fixture::contains(pack.refusal(), path));
  CHECK(fixture::contains(pack.refusal(), why));
  CHECK(pack.kernels().empty());
  CHECK_FALSE(pack.load("sm_80", key_of(0)).has_value());
}

}  // namespace

TEST_CASE("a kernel pack gives back what was put into it, and nothing else") {
  constexpr int images = 37;
  const KernelPack pack(pack_of(images));
  CHECK(pack.refusal().empty());
  CHECK(pack.kernels() == std::map<std::string, uint64_t>{{"sm_80", 19}, {"sm_90", 18}});
  for (int i = 0; i < images; ++i) {
    const std::string own = i % 2 == 0 ? "sm_80" : "sm_90", other = i % 2 == 0 ? "sm_90" : "sm_80";
    const auto image = pack.load(own, key_of(uint64_t(i)));
    REQUIRE(image.has_value());
    CHECK(image->bytes == "bytes of " + std::to_string(i));
    CHECK(image->symbol == "symbol");
    CHECK_FALSE(pack.load(other, key_of(uint64_t(i))).has_value());
  }
  CHECK_FALSE(pack.load("sm_80", key_of(1000)).has_value());
  const KernelPack empty(pack_of(0));
  CHECK(empty.refusal().empty());
  CHECK_FALSE(empty.load("sm_80", key_of(0)).has_value());
}

TEST_CASE("a device takes the newest kernels of its own generation that are not newer than itself") {
  KernelPackWriter writer;
  for (const char* architecture : {"sm_80", "sm_86", "sm_100", "host"})
    writer.add(architecture, key_of(0), small_image);
  const std::string path = fixture::new_directory() + "/kernels.pack";
  jit::write_file(path, writer.content());
  const KernelPack pack(path);
  CHECK(pack.architecture_for("sm_80") == "sm_80");
  CHECK(pack.architecture_for("sm_86") == "sm_86");
  CHECK(pack.architecture_for("sm_89") == "sm_86");
  CHECK(pack.architecture_for("sm_75").empty());
  CHECK(pack.architecture_for("sm_90").empty());
  CHECK(pack.architecture_for("sm_103") == "sm_100");
  CHECK(pack.architecture_for("sm_120").empty());
  CHECK(pack.architecture_for("host") == "host");
}

TEST_CASE("a pack that is damaged anywhere is not used, or the kernel that is") {
  const std::string path = pack_of(3), whole = jit::read_file(path);
  for (size_t at = 0; at < whole.size(); ++at) {
    overwrite(path, at, char(whole[at] ^ 0x55));
    const KernelPack pack(path);
    for (int i = 0; i < 3; ++i) {
      const auto image = pack.load(i % 2 == 0 ? "sm_80" : "sm_90", key_of(uint64_t(i)));
      INFO(at);
      CHECK((!image || image->bytes == "bytes of " + std::to_string(i)));
    }
    overwrite(path, at, whole[at]);
  }
  overwrite(path, whole.size() - 20, char(whole[whole.size() - 20] ^ 1));
  check_refused(path, "damaged");
  overwrite(path, 0, 'x');
  check_refused(path, "damaged");
}

TEST_CASE("a truncated pack is not used, also where it was cut after its index was read") {
  const std::string path = pack_of(3), whole = jit::read_file(path);
  const KernelPack pack(path);
  CHECK(pack.load("sm_80", key_of(0)).has_value());
  for (const size_t left : {whole.size() - 1, whole.size() / 2, size_t(10), size_t(0)}) {
    jit::write_file(path, whole.substr(0, left));
    check_refused(path, "damaged");
  }
  CHECK_FALSE(pack.load("sm_80", key_of(0)).has_value());
  std::filesystem::remove(path);
  CHECK_FALSE(pack.load("sm_80", key_of(0)).has_value());
  check_refused(path, "no such file");
}

TEST_CASE("a pack that others can write to, a folder and a link are not used") {
  const std::string path = pack_of(1), link = path + ".link";
  REQUIRE(chmod(path.c_str(), 0664) == 0);
  check_refused(path, "its group or others can write to it");
  REQUIRE(chmod(path.c_str(), 0644) == 0);
  CHECK(KernelPack(path).refusal().empty());
  REQUIRE(symlink(path.c_str(), link.c_str()) == 0);
  check_refused(link, "no regular one");
  check_refused(std::filesystem::path(path).parent_path(), "no regular one");
  if (geteuid() != 0) return;
  REQUIRE(chown(path.c_str(), 12345, 12345) == 0);
  check_refused(path, "another user");
  CHECK(KernelPack(path, uid_t(12345)).refusal().empty());
}

TEST_CASE("a pack lies beside its library") {
  const std::string folder = fixture::new_directory();
  jit::write_file(folder + "/lib/libcugrb.so", "");
  jit::write_file(folder + "/bin/cugrb", "");
  CHECK(KernelPack::beside(folder + "/lib/libcugrb.so").path().empty());
  CHECK(KernelPack::beside("").path().empty());
  const std::string target = folder + "/lib/cugrb/kernels.pack";
  jit::write_file(target, jit::read_file(pack_of(1)));
  for (const char* file : {"/lib/libcugrb.so", "/bin/cugrb"}) {
    const KernelPack pack = KernelPack::beside(folder + file);
    CHECK(pack.path() == target);
    CHECK(pack.refusal().empty());
  }
}

TEST_CASE("takes one kernel from a pack and has the other compiled", "[.pack]") {
  const jit::Request packed = fixture::probe("add<float, 3>"), other = fixture::fresh_probe();
  {
    const jit::WhenMissing never(jit::Missing::refuse);
    CHECK(fixture::run_floats(packed, {1, 2}) == std::vector<float>{4, 5});
    CHECK_THROWS_AS(jit::kernel(other), jit::NotCompiled);
  }
  CHECK(jit::statistics().pack_hits == 1);
  CHECK(jit::statistics().disk_hits == 0);
  CHECK(jit::statistics().compiled == 0);
  CHECK_NOTHROW(jit::kernel(other));
  CHECK(jit::statistics().compiled == 1);
  CHECK(trace::current().warning.empty());
}

TEST_CASE("says why it does without a pack", "[.without_pack]") {
  jit::kernel(fixture::fresh_probe());
  INFO(trace::current().warning);
  CHECK(fixture::contains(trace::current().warning, "kernel pack"));
  CHECK(fixture::contains(trace::current().warning, "is not used"));
}

TEST_CASE("kernels come from the pack that the environment names") {
  const std::string path = fixture::new_directory() + "/kernels.pack";
  const std::string architecture = runtime::device().properties().architecture;
  KernelPackWriter writer;
  jit::add_to_pack(writer, fixture::probe("add<float, 3>"), architecture);
  jit::write_file(path, writer.content());
  const fixture::Outcome with = fixture::run_self("[.pack]", {{"CUGRB_KERNEL_PACK", path}});
  INFO(with.output);
  CHECK(with.status == 0);
  overwrite(path, 12, 'x');
  const fixture::Outcome without = fixture::run_self("[.without_pack]", {{"CUGRB_KERNEL_PACK", path}});
  INFO(without.output);
  CHECK(without.status == 0);
}

TEST_CASE("has other kernel sources than a pack", "[.other_sources]") {
  const std::string refusal = KernelPack::of_process().refusal();
  INFO(refusal);
  CHECK(fixture::contains(refusal, "made from other kernel sources"));
}

TEST_CASE("a pack of other kernel sources is not used") {
  const fixture::Outcome outcome = fixture::run_self(
      "[.other_sources]", {{"CUGRB_KERNEL_PACK", pack_of(1)}, {"CUGRB_TEST_CONVERT", "//"}});
  INFO(outcome.output);
  CHECK(outcome.status == 0);
}

TEST_CASE("a pack can be made for a GPU that is not here, where there is NVRTC") {
  const std::string path = fixture::new_directory() + "/kernels.pack";
  KernelPackWriter writer;
  try {
    jit::compiler_for("sm_90");
  } catch (const jit::CompilationFailure& failure) {
    WARN("skipped: " << failure.what());
    return;
  }
  CHECK(jit::add_to_pack(writer, fixture::probe("add<float, 9>"), "sm_90"));
  CHECK_FALSE(jit::add_to_pack(writer, fixture::probe("add<float, 9>"), "sm_90"));
  jit::write_file(path, writer.content());
  const KernelPack pack(path);
  CHECK(pack.architecture_for("sm_90") == "sm_90");
  CHECK(pack.kernels().at("sm_90") == 2);
}
