"""Checks that the forge's workflow runs the same steps as .ci/run. Used by check-sources.py."""
import re

STEP = re.compile(r"^ *step (.+?)(?: >.*)?$", re.M)
RUN = re.compile(r"^ *- run: (.+)$", re.M)


def differing_steps(path, script, workflow):
    """Yields the steps of `script` that are not commands of `workflow`, and the commands that are no steps."""
    steps, runs = STEP.findall(script), RUN.findall(workflow)
    for step in steps:
        if step not in runs:
            yield path, 1, f"does not run the step of .ci/run: {step}"
    for run in runs:
        if run not in steps:
            yield path, workflow.count("\n", 0, workflow.index(run)) + 1, f"is no step of .ci/run: {run}"
