"""Loads flows and walks through them: reads {folder, steps} per line, writes {visited} or {error}."""

import asyncio
import importlib.util
import json
import py_compile
import sys
from pathlib import Path
from types import SimpleNamespace

from loguru import logger
from pipecat.flows import Flow, FlowConfig

logger.remove()


async def walk(number: int, folder: Path, steps: list) -> dict:
    spec = importlib.util.spec_from_file_location(f"handlers_{number}", folder / "handlers.py")
    handlers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(handlers)
    py_compile.compile(str(folder / "bot.py"), doraise=True)
    flow = Flow(FlowConfig.from_file(folder / "flow.yaml"), handlers=handlers.HANDLERS)
    manager = SimpleNamespace(state=dict(handlers.STATE))
    node = flow.initial_node
    visited = [node["name"]]
    for step in steps:

        async def run_tool(name, url, arguments, step=step):
            return step["result"], step["succeeded"]

        handlers.run_tool = run_tool
        functions = [*node.get("functions", []), *flow.global_functions]
        function = next(each for each in functions if each.name == step["function"])
        unknown = set(step["arguments"]) - set(function.properties)
        if unknown:
            raise TypeError(f"{function.name} does not take {unknown}")
        _, target = await function.handler(step["arguments"], manager)
        if target is not None:
            node = target
            visited.append(node["name"])
    return {"visited": visited}


for number, line in enumerate(sys.stdin):
    task = json.loads(line)
    try:
        result = asyncio.run(walk(number, Path(task["folder"]), task["steps"]))
    except Exception as error:
        result = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(result), flush=True)
