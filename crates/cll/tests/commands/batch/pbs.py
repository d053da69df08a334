#!/usr/bin/env python3
"""A stand-in for PBS Professional: qsub, qstat, qdel, by what it is called as.

After qsub(1B), qstat(1B) and qdel(1B) of the PBS Professional 2022.1 reference guide: every option that
is not in them, and every value that does not fit, is refused.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
import jobs  # noqa: E402

QUEUES = ("workq", "short")
SERVER = "pbs"
WITHOUT_VALUE = set("fhIVXz")
WITH_VALUE = set("aAcCejJklmMNopPqrRSuvW")
CHUNK = {"ncpus", "mpiprocs", "ompthreads", "mem", "vmem", "ngpus", "host", "vnode", "arch"}
WIDE = {"walltime", "cput", "pcput", "min_walltime", "max_walltime", "place", "select", "software"}


def fail(words):
    jobs.refuse(f"qsub: {words}", 2)


def options(words):
    found = []
    words = list(words)
    while words:
        word = words.pop(0)
        match = re.fullmatch(r"-([A-Za-z])(.*)", word, re.S)
        if not match:
            fail(f"script: {word}: not found") if found else fail(f"usage: qsub [-a date_time] … ({word})")
        letter, value = match.groups()
        if letter in WITHOUT_VALUE and not value:
            found.append((letter, ""))
        elif letter in WITH_VALUE:
            if not value:
                if not words:
                    fail(f"option requires an argument -- '{letter}'")
                value = words.pop(0)
            found.append((letter, value))
        else:
            fail(f"invalid option -- '{letter}'")
    return found


def resources(value, job):
    for one in split_wide(value):
        name, equals, what = one.partition("=")
        if not equals or not what or name not in WIDE:
            jobs.refuse(f"qsub: Unknown resource: {name}", 35)
        if name.endswith("walltime") or name.endswith("cput"):
            if not re.fullmatch(r"(\d+:){0,2}\d+(\.\d+)?", what):
                fail(f"Illegal attribute or resource value for {name}")
        if name == "select":
            job["processors"] = sum(chunk(part) for part in what.split("+"))


def split_wide(value):
    # What a chunk asks for is parted by colons, what the job asks for by commas.
    return value.split(",")


def chunk(text):
    """How many processors N:ncpus=C:… is."""
    parts = text.split(":")
    count = 1
    if re.fullmatch(r"\d+", parts[0]):
        count = int(parts.pop(0))
        if count == 0:
            fail("Illegal attribute or resource value for select")
    each = 1
    for part in parts:
        name, equals, what = part.partition("=")
        if not equals or name not in CHUNK:
            jobs.refuse(f"qsub: Unknown resource: {name}", 35)
        if name in ("ncpus", "mpiprocs", "ompthreads", "ngpus") and not re.fullmatch(r"\d+", what):
            fail(f"Illegal attribute or resource value for {name}")
        if name == "ncpus":
            each = int(what)
    return count * each


def qsub():
    arguments = sys.argv[1:]
    script = open(arguments[-1]).read() if arguments and not arguments[-1].startswith("-") else sys.stdin.read()
    job = {"indices": [None], "queue": QUEUES[0], "array": False, "processors": 1}
    # What the command line says goes before what the script says.
    for letter, value in options(jobs.directives(script, "#PBS", fail)) + options(
        arguments[:-1] if arguments and not arguments[-1].startswith("-") else arguments
    ):
        if letter == "N" and not re.fullmatch(r"[A-Za-z][!-~]{0,235}", value):
            fail("illegal -N value")
        elif letter == "j" and value not in ("oe", "eo", "n"):
            fail("illegal -j value")
        elif letter == "r" and value not in ("y", "n"):
            fail("illegal -r value")
        elif letter == "J":
            match = re.fullmatch(r"(\d+)-(\d+)(?::(\d+))?(?:%(\d+))?", value)
            if not match or int(match[1]) >= int(match[2]):
                fail("illegal -J value")
            job["indices"] = list(range(int(match[1]), int(match[2]) + 1, int(match[3] or 1)))
            job["array"] = True
        elif letter == "q":
            if value not in QUEUES:
                jobs.refuse("qsub: Unknown queue", 170)
            job["queue"] = value
        elif letter == "l":
            resources(value, job)
    bracket = "[{index}]" if job["array"] else ""
    job["variables"] = {
        "PBS_JOBID": f"{{number}}{bracket}.{SERVER}",
        "PBS_O_WORKDIR": os.getcwd(),
        "PBS_QUEUE": job["queue"],
        "PBS_ENVIRONMENT": "PBS_BATCH",
    }
    if job["array"]:
        job["variables"]["PBS_ARRAY_INDEX"] = "{index}"
    number = jobs.hand_in(job, script)
    print(f"{number}{'[]' if job['array'] else ''}.{SERVER}")


def number(word):
    match = re.fullmatch(r"(\d+)(\[\])?(\.\w+)?", word)
    found = jobs.known(match[1]) if match else None
    if found is None or found[0]["array"] != bool(match[2]):
        jobs.refuse(f"{os.path.basename(sys.argv[0])}: Unknown Job Id {word}", 153)
    return match[1], found


def qstat():
    if len(sys.argv) != 3 or sys.argv[1] != "-f":
        jobs.refuse("usage: this stand-in knows qstat -f JOB", 2)
    _, (job, states) = number(sys.argv[2])
    if all(state == "F" for state in states):
        jobs.refuse(f"qstat: {sys.argv[2]} Job has finished, use -x or -H to obtain historical job information", 35)
    begun = [state for state in states if state != "Q"]
    state = "Q" if not begun else "B" if job["array"] else "R"
    print(f"Job Id: {sys.argv[2]}\n    Job_Name = x\n    job_state = {state}\n    queue = {job['queue']}")
    if job["processors"] > jobs.PROCESSORS:
        wanted = f"R: {job['processors']} A: {jobs.PROCESSORS} T: {jobs.PROCESSORS}"
        # As long lines are printed.
        print(f"    comment = Can Never Run: Insufficient amount of resource: ncpus\n\t ({wanted})")
    print()


def qdel():
    for word in sys.argv[1:]:
        jobs.end(number(word)[0])


{"qsub": qsub, "qstat": qstat, "qdel": qdel}[os.path.basename(sys.argv[0])]()
