"""Holds scripted calls with programs of LiveKit Agents in Python: program_driver.py FOLDER...

Each folder has a program and call.json; result.json gets what happened.
"""

import asyncio
import importlib
import json
import logging
import sys
import time
import uuid
from pathlib import Path

from livekit.agents import AgentSession, llm

logging.disable(logging.CRITICAL)


class Model(llm.LLM):
    def __init__(self, flow):
        super().__init__()
        self.flow, self.actions, self.faults = flow, [], []

    def chat(self, *, chat_ctx, conn_options, tools=None, **_):
        return Stream(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options)


class Stream(llm.LLMStream):
    async def _run(self):
        model, flow = self._llm, self._llm.flow
        offered = [tool.info.name for tool in self._tools]
        if not model.actions:
            model.faults.append(f"asked too often, with {offered}")
        action = model.actions.pop(0) if model.actions else {}
        handoffs = {agent.handoff for agent in flow.agents.values()} | {flow.go_back, flow.stay}
        found, moves = sorted(name for name in offered if name in handoffs), action.get("moves", [])
        if action and found != moves:
            model.faults.append(f"at {action['node']}: offered {found}, not {moves}")
        call, calls = action.get("call"), []
        if call and call["name"] not in offered:
            model.faults.append(f"at {action['node']}: {call['name']} is not among {offered}")
        if call:
            arguments = json.dumps(call["args"])
            calls = [llm.FunctionToolCall(name=call["name"], arguments=arguments, call_id=str(uuid.uuid4()))]
        delta = llm.ChoiceDelta(role="assistant", content=action.get("text"), tool_calls=calls)
        self._event_ch.send_nowait(llm.ChatChunk(id="script", delta=delta))


def program(folder):
    for name in ("agent", "flow"):
        sys.modules.pop(name, None)
    sys.path.insert(0, str(folder))
    agent, flow = importlib.import_module("agent"), importlib.import_module("flow")
    sys.path.pop(0)
    return agent.FLOW, flow.Call


async def hold(folder):
    script = json.loads((folder / "call.json").read_text())
    flow, make_call = program(folder)
    model, tools, said, seen = Model(flow), [], [], []

    async def answer(call, arguments):
        if not tools:
            model.faults.append("a tool was called too often")
            return None
        following = tools.pop(0)
        if following["failed"]:
            raise RuntimeError("failed")
        return following.get("result")

    async def transfer(call, arguments):
        return "ok"

    names = [function.name for agent in flow.agents.values() for function in agent.functions]
    handlers = {name: answer for name in names if not name.startswith("extract_")}
    handlers |= {node: transfer for node in script["transfers"]}
    call = make_call(flow, script["variables"], handlers)
    async with AgentSession(llm=model, max_tool_steps=30) as session:

        @session.on("conversation_item_added")
        def added(event):
            if event.item.type == "message" and event.item.role == "assistant":
                said.append(event.item.text_content)

        for turn in script["turns"]:
            model.actions, tools[:] = [*turn["actions"]], turn["tools"]
            before, started, expected = len(said), time.monotonic(), turn["expected"]
            if "line" not in turn:
                await call.begin(session, record=False)
            else:
                await session.run(user_input=turn["line"])

            def is_open():
                return (
                    len(call.visited) < len(expected["visited"])
                    or len(said) - before < len(expected["said"])
                    # until a handoff is done, another agent would hear the caller
                    or (session._activity and session._activity.agent is not session.current_agent)
                    or session.current_agent.id != call.visited[-1]
                    or (expected["ended"] and not call.ended)
                )

            while is_open() and not model.faults and time.monotonic() - started < 5:
                await asyncio.sleep(0.005)
            left = len(model.actions) + len(tools)
            if left:
                model.faults.append(f"{left} answers are left")
            ended, texts = bool(call.ended), said[before:]
            seen.append(
                {"visited": [*call.visited], "variables": {**call.variables}, "said": texts, "ended": ended}
            )
            if model.faults or call.ended:
                break
    (folder / "result.json").write_text(json.dumps({"seen": seen, "faults": model.faults}))


async def main():
    for folder in sys.argv[1:]:
        await hold(Path(folder))


asyncio.run(main())
