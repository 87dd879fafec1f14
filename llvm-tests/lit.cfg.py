# Tests of the plugin and of the `loopwright` binary as LLVM does them: a file with RUN lines, checked by FileCheck.
#
#   /usr/lib/llvm-22/bin/lit llvm-tests            after `cargo build --release`
#   /usr/lib/llvm-22/bin/lit --param build=quick llvm-tests        after `cargo build --profile quick`
#
#   %loopwright-clang   clang-22 with the plugin loaded; add -O3 and more
#   %loopwright-flang  flang-22 with the plugin loaded
#   %loopwright-binary  the command `loopwright`
#   %loopwright         opt-22 with the plugin loaded; add -passes=...
#   %plugin             the plugin's file
#   %install, %package  scripts/install and scripts/package, of what was built here
#   %{path}             the search path, to put a folder before it
import os

import lit.formats

LLVM_BIN = "/usr/lib/llvm-22/bin"

config.name = "loopwright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".f90", ".test", ".scop", ".calc"]
# kernels are whole programs, for scripts/end-to-end and scripts/bench; Inputs are read by other tests; found is replayed by scripts/fuzz.
config.excludes = ["kernels", "Inputs", "found"]
config.test_source_root = os.path.dirname(__file__)

root = os.path.dirname(config.test_source_root)
target = os.path.join(root, os.environ.get("CARGO_TARGET_DIR", "target"))
config.test_exec_root = os.path.join(target, "lit")

build = lit_config.params.get("build", "release")
plugin = os.path.join(target, build, "libloopwright.so")
# `scripts/test` builds the command without LLVM, and does not optimize all of it at once.
alone = {"release": "fuzz"}.get(build, build)
binaries = [os.path.join(target, "no-llvm", alone, "loopwright"), os.path.join(target, build, "loopwright")]
if not os.path.exists(plugin):
    lit_config.fatal(plugin + f" is not there: run `cargo build --profile {build}` first")

config.substitutions.append(("%loopwright-clang", "clang-22 -fpass-plugin=" + plugin))
config.substitutions.append(("%loopwright-flang", "flang-22 -fpass-plugin=" + plugin))
config.substitutions.append(("%loopwright-binary", next(filter(os.path.exists, binaries), binaries[0])))
config.substitutions.append(("%loopwright", "opt-22 -load-pass-plugin=" + plugin))
config.substitutions.append(("%plugin", plugin))
for script in ("install", "package"):
    config.substitutions.append(("%" + script, f"{os.path.join(root, 'scripts', script)} --from {os.path.dirname(plugin)}"))

config.environment["PATH"] = os.pathsep.join([LLVM_BIN, os.environ.get("PATH", "/usr/bin:/bin")])
config.substitutions.append(("%{path}", config.environment["PATH"]))
config.environment.pop("LOOPWRIGHT_OPTIONS", None)
# Where cargo finds its toolchain and its crates.
for name in ("HOME", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# What internal errors that tests provoke leave behind.
config.environment["TMPDIR"] = os.path.join(config.test_exec_root, "tmp")
os.makedirs(config.environment["TMPDIR"], exist_ok=True)
config.available_features.add("x86_64-linux")
