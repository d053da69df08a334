"""What the stand-ins for PBS and LSF share: a folder of jobs, and a process for each that runs them.

A job is a folder NUMBER in the folder QUEUES names: `job.json` as it was handed in, `script`, and for
each task `state.INDEX` (Q, R, F). Of processors there are four; a job that wants more waits for ever.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

PROCESSORS = 4
AT_A_TIME = 4


def folder(number=None):
    place = os.environ["QUEUES"]
    return place if number is None else os.path.join(place, str(number))


def refuse(words, code):
    sys.stderr.write(words + "\n")
    sys.exit(code)


def directives(text, mark, fail):
    """The words behind the mark, up to the first command."""
    words = []
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            break
        if line.startswith(mark) and line[len(mark):len(mark) + 1].isspace():
            try:
                words += shlex.split(line[len(mark):])
            except ValueError as error:
                fail(str(error))
    return words


def hand_in(job, script):
    """Keeps a job, and starts what runs it; its number."""
    number = 1
    while True:
        try:
            os.makedirs(folder(number))
            break
        except FileExistsError:
            number += 1
    with open(os.path.join(folder(number), "script"), "w") as file:
        file.write(script)
    for index in job["indices"]:
        put(number, index, "Q")
    job["processors"] = job.get("processors", 1)
    with open(os.path.join(folder(number), "job.json"), "w") as file:
        json.dump(job, file)
    if job["processors"] <= PROCESSORS and os.fork() == 0:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        run(number, job)
        os._exit(0)
    return number


def run(number, job):
    with open(os.path.join(folder(number), "runner"), "w") as file:
        file.write(str(os.getpid()))
    running = []
    for index in job["indices"]:
        while len(running) >= AT_A_TIME:
            running = [one for one in running if not over(number, one)]
            time.sleep(0.02)
        environment = dict(os.environ)
        for name, value in job["variables"].items():
            environment[name] = value.replace("{number}", str(number)).replace("{index}", str(index))
        put(number, index, "R")
        script = os.path.join(folder(number), "script")
        task = subprocess.Popen(["/bin/sh", script], env=environment, cwd="/", start_new_session=True)
        running.append((index, task))
        with open(os.path.join(folder(number), "tasks"), "a") as file:
            file.write(f"{task.pid}\n")
    while running:
        running = [one for one in running if not over(number, one)]
        time.sleep(0.02)


def over(number, one):
    index, task = one
    if task.poll() is None:
        return False
    put(number, index, "F")
    return True


def put(number, index, state):
    with open(os.path.join(folder(number), f"state.{index}"), "w") as file:
        file.write(state)


def known(number):
    """The job with the states of its tasks; None if there is none."""
    try:
        with open(os.path.join(folder(number), "job.json")) as file:
            job = json.load(file)
    except (FileNotFoundError, ValueError):
        return None
    states = []
    for index in job["indices"]:
        with open(os.path.join(folder(number), f"state.{index}")) as file:
            states.append(file.read())
    return job, states


def end(number):
    for name in ("runner", "tasks"):
        try:
            with open(os.path.join(folder(number), name)) as file:
                processes = [int(line) for line in file]
        except FileNotFoundError:
            continue
        for process in processes:
            try:
                os.killpg(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
    job, _ = known(number)
    for index in job["indices"]:
        put(number, index, "F")
