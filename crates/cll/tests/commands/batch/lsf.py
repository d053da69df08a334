#!/usr/bin/env python3
"""A stand-in for IBM Spectrum LSF 10.1: bsub, bjobs, bkill, by what it is called as.

After the command reference of LSF 10.1: every option that is not in it, and every value that does not
fit, is refused.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
import jobs  # noqa: E402

QUEUES = ("normal", "short")
WITHOUT_VALUE = {"-H", "-x", "-r", "-rn", "-B", "-N", "-K", "-I", "-Ip", "-Is", "-IS", "-XF", "-ul", "-Ne"}
WITH_VALUE = {
    "-J", "-n", "-W", "-We", "-o", "-oo", "-e", "-eo", "-i", "-is", "-q", "-P", "-R", "-M", "-v", "-m", "-w",
    "-b", "-t", "-u", "-L", "-E", "-Ep", "-sp", "-cwd", "-outdir", "-app", "-g", "-G", "-sla", "-env", "-gpu",
    "-c", "-C", "-D", "-F", "-S", "-T", "-U", "-Lp", "-jsdl", "-network", "-rnc", "-notify", "-Jd",
}
SECTIONS = {"select", "order", "rusage", "span", "same", "cu", "affinity"}


def fail(words):
    jobs.refuse(f"{words}. Job not submitted.", 255)


def options(words):
    found = []
    words = list(words)
    while words:
        word = words.pop(0)
        if word in WITHOUT_VALUE:
            found.append((word, ""))
        elif word in WITH_VALUE:
            if not words:
                fail(f"{word}: option requires an argument")
            found.append((word, words.pop(0)))
        else:
            fail(f"{word}: Illegal option")
    return found


def requirement(text):
    rest = text.strip()
    while rest:
        match = re.match(r"(\w+)\[([^\[\]]*)\]\s*", rest)
        if not match or match[1] not in SECTIONS or not match[2]:
            fail(f"Bad resource requirement syntax: {text}")
        if match[1] == "span" and not re.fullmatch(r"hosts=1|ptile=[1-9]\d*|block=[1-9]\d*", match[2]):
            fail(f"Bad resource requirement syntax: {text}")
        rest = rest[match.end():]


def array(text):
    """The indices of NAME[1-9:2,12]%4; None of a name alone."""
    match = re.fullmatch(r"([^\[\]]+)(?:\[([\d,:-]+)\](?:%(\d+))?)?", text)
    if not match:
        fail("Bad job name")
    if match[2] is None:
        return None
    indices = []
    for part in match[2].split(","):
        one = re.fullmatch(r"(\d+)(?:-(\d+)(?::(\d+))?)?", part)
        if not one or int(one[1]) < 1 or (one[2] and int(one[2]) < int(one[1])):
            fail("Bad job array index list")
        indices += range(int(one[1]), int(one[2] or one[1]) + 1, int(one[3] or 1))
    return indices


def bsub():
    script = sys.stdin.read()
    job = {"indices": [0], "queue": None, "array": False, "processors": 1}
    for option, value in options(jobs.directives(script, "#BSUB", fail)) + options(sys.argv[1:]):
        if option == "-J":
            indices = array(value)
            if indices is not None:
                job["indices"], job["array"] = indices, True
        elif option == "-n":
            match = re.fullmatch(r"([1-9]\d*)(?:,([1-9]\d*))?", value)
            if not match:
                fail(f"{value}: Bad number of processors")
            job["processors"] = int(match[1])
        elif option == "-W" and not re.fullmatch(r"(\d+:)?\d+(/\S+)?", value):
            fail(f"{value}: Illegal run limit")
        elif option == "-R":
            requirement(value)
        elif option == "-q":
            if value not in QUEUES:
                fail(f"{value}: No such queue")
            job["queue"] = value
    if job["processors"] > jobs.PROCESSORS:
        fail("Too many processors requested")
    default = job["queue"] is None
    job["queue"] = job["queue"] or QUEUES[0]
    job["variables"] = {
        "LSB_JOBID": "{number}",
        "LSB_JOBINDEX": "{index}",
        "LSB_QUEUE": job["queue"],
        "LSB_HOSTS": " ".join(["localhost"] * job["processors"]),
        "LS_SUBCWD": os.getcwd(),
    }
    number = jobs.hand_in(job, script)
    print(f"Job <{number}> is submitted to {'default ' if default else ''}queue <{job['queue']}>.")


def bjobs():
    words = sys.argv[1:]
    if words[:2] != ["-noheader", "-o"] or len(words) != 4:
        jobs.refuse("this stand-in knows bjobs -noheader -o FORMAT JOB", 255)
    match = re.fullmatch(r"stat pend_reason delimiter='(.)'", words[2])
    if not match:
        jobs.refuse(f"{words[2]}: Bad format", 255)
    found = jobs.known(words[3])
    if found is None:
        jobs.refuse(f"Job <{words[3]}> is not found", 255)
    for state in found[1]:
        name = {"Q": "PEND", "R": "RUN", "F": "DONE"}[state]
        reason = "New job is waiting for scheduling;" if state == "Q" else "-"
        print(f"{name}{match[1]}{reason}")


def bkill():
    for word in sys.argv[1:]:
        if jobs.known(word) is None:
            jobs.refuse(f"Job <{word}>: No matching job found", 255)
        jobs.end(word)
        print(f"Job <{word}> is being terminated")


{"bsub": bsub, "bjobs": bjobs, "bkill": bkill}[os.path.basename(sys.argv[0])]()
