/* Loads extension modules with local visibility, as Python does, and runs run_computation of the last one. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* module = NULL;
  for (int i = 1; i < argc; i++) {
    module = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (module == NULL) {
      printf("%s\n", dlerror());
      return 1;
    }
  }
  int (*run)(int) = module == NULL ? NULL : (int (*)(int))dlsym(module, "run_computation");
  return run == NULL ? 1 : run(0);
}
