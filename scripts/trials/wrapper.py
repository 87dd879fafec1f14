#!/usr/bin/env python3
"""Stands in for the compiler while `scripts/try` builds a tree: adds flags, and writes down what each source file took.

Reached by the names cc, c++, gcc, clang, ... in a folder that has this file's `wrapper.json` too: which compilers, which flags to add where
something is compiled and where it is linked, and the log. One line of JSON goes into the log for each call that compiles or links; what a
configuration step tries out is passed on as it is.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

SOURCE = re.compile(r"\.(c|cc|cp|cpp|cxx|c\+\+|C|i|ii)$")
# Options whose value is the next word, which is no source then.
WITH_VALUE = {"-o", "-MF", "-MT", "-MQ", "-MJ", "-I", "-D", "-U", "-L", "-l", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-x"}
WITH_VALUE |= {"-Xclang", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-mllvm", "-T", "-u", "-z", "-arch", "-target", "--param", "-framework"}
# Nothing is compiled to the end then.
NO_CODE = {"-E", "-M", "-MM", "-fsyntax-only", "--version", "-v", "-dumpversion", "-dumpmachine"}
NO_LINK = {"-c", "-S"} | NO_CODE
# Where CMake and autoconf try things out.
PROBE = re.compile(r"(^|/)(conftest[^/]*\.\w+$|CMakeFiles/(CMakeTmp|CMakeScratch|[^/]*/CompilerId)|CMake(C|CXX)Compiler(Id|ABI))")


def inputs(arguments):
    """The words that are files: sources, and what is only linked."""
    sources, others, is_value = [], [], False
    for word in arguments:
        if is_value:
            is_value = False
        elif word in WITH_VALUE:
            is_value = True
        elif not word.startswith("-"):
            (sources if SOURCE.search(word) else others).append(word)
    return sources, others


def is_probe(sources, directory):
    return any(PROBE.search(os.path.join(directory, source)) for source in sources) or bool(PROBE.search(directory + "/"))


def watched(command, seconds):
    """Runs the command with a time limit: (exit code or what ended it, standard error, user seconds, seconds)."""
    started = time.monotonic()
    child = subprocess.Popen(command, stderr=subprocess.PIPE)
    late = threading.Event()
    timer = threading.Timer(seconds, lambda: (late.set(), child.send_signal(signal.SIGKILL)))
    timer.start()
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    if late.is_set():
        errors += f"\nstill compiling after {seconds} s\n".encode()
    return child.returncode, errors, usage.ru_utime, time.monotonic() - started


def main():
    place = os.path.dirname(os.path.abspath(sys.argv[0]))
    with open(os.path.join(place, "wrapper.json")) as file:
        settings = json.load(file)
    name, arguments, directory = os.path.basename(sys.argv[0]), sys.argv[1:], os.getcwd()
    real = settings["cxx" if "++" in name else "cc"]
    sources, others = inputs(arguments)
    compiles = bool(sources) and not NO_CODE.intersection(arguments)
    links = bool(sources or others) and not NO_LINK.intersection(arguments)
    if not (compiles or links) or is_probe(sources, directory):
        os.execvp(real, [real, *arguments])
    added = ["-Qunused-arguments"] + (settings["compile"] if compiles else []) + (settings["link"] if links else [])
    code, errors, user, seconds = watched([real, *arguments, *added], settings["seconds"])
    sys.stderr.buffer.write(errors)
    log = ""
    if code != 0:
        stem = re.sub(r"[^\w.-]", "_", (sources or others)[0])
        log = os.path.join(settings["logs"], f"{stem}.{os.getpid()}.txt")
        with open(log, "wb") as file:
            file.write(" ".join([real, *arguments, *added]).encode() + b"\n" + errors)
    entry = {"sources": sources, "directory": directory, "driver": real, "arguments": arguments, "compiles": compiles}
    entry |= {"code": code, "user": user, "seconds": seconds, "log": log}
    handle = os.open(settings["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.write(handle, (json.dumps(entry) + "\n").encode())
    os.close(handle)
    sys.exit(code if code >= 0 else 128 - code)


main()
