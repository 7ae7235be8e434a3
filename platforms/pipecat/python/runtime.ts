/** The fixed part of `handlers.py`: tools, variables, and equations with the rules that Callweave has for them. */
export const RUNTIME = `import json
import re
from decimal import Decimal
from typing import Any

from pipecat.flows import TRANSITION_IN_YAML, FlowManager


class Unset(str):
    """Stands for a variable that has no value yet: prompts show its placeholder, as in Callweave."""


def text_of(value: Any) -> str | None:
    """The text that a variable holds; None if it is not set."""
    if value is None or isinstance(value, Unset):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def get_value(state: dict, name: str) -> Any:
    """The value of a variable. A name such as order.size is a path into a stored mapping."""
    value: Any = state
    for part in [name] if name in state else name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def set_value(state: dict, name: str, value: Any) -> None:
    """Stores the value of a variable where prompts find it. None stores nothing."""
    if value is None:
        return
    *parts, last = name.split(".") if re.fullmatch(r"[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*", name) else [name]
    for part in parts:
        inner = state.get(part)
        state[part] = state = inner if isinstance(inner, dict) else {}
    state[last] = value


def fill(state: dict, text: str) -> str:
    """Fills the placeholders of a text. Those without a value stay."""

    def filled(match: re.Match) -> str:
        value = text_of(get_value(state, match[1].strip()))
        return match[0] if value is None else value

    return re.sub(r"\\{\\{([^{}]*)\\}\\}", filled, text)


def number(text: str) -> Decimal | None:
    plain = text.strip()
    return Decimal(plain) if re.fullmatch(r"[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?", plain) else None


def holds(state: dict, left: str, operator: str, right: str) -> bool:
    """Whether an equation is true. Values are compared as texts, and by <, <=, > and >= as numbers."""
    name = re.fullmatch(r"\\s*\\{\\{([^{}]*)\\}\\}\\s*", left)
    value = text_of(get_value(state, name[1].strip() if name else left))
    if operator in ("exists", "not_exist"):
        return (value is not None) == (operator == "exists")
    if value is None:
        return False
    if operator in ("==", "!="):
        return (value == right) == (operator == "==")
    if operator in ("contains", "not_contains"):
        return (right in value) == (operator == "contains")
    a, b = number(value), number(right)
    if a is None or b is None:
        return False
    return {">": a > b, ">=": a >= b, "<": a < b, "<=": a <= b}.get(operator, False)


def value_at(result: Any, path: str) -> Any:
    """The value at a JSON path such as $.order.status or $.orders[0]; None if there is none."""
    for name, index in re.findall(r"\\.?([^.\\[\\]$]+)|\\[(\\d+)\\]", path.removeprefix("$")):
        if index:
            result = result[int(index)] if isinstance(result, list) and int(index) < len(result) else None
        else:
            result = result.get(name) if isinstance(result, dict) else None
    return result


async def run_tool(name: str, url: str | None, arguments: dict) -> tuple[dict, bool]:
    """Runs a tool: posts its arguments to its URL. Replace it, or a single handler, by your own code."""
    given = {key: value for key, value in arguments.items() if value is not None}
    if url is None:
        return {"error": f"{name} is not written yet"}, False
    import aiohttp

    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            async with session.post(url, json=given) as response:
                answer = await response.json(content_type=None)
                return answer if isinstance(answer, dict) else {"result": answer}, response.status < 400
    except Exception as error:
        return {"error": str(error)}, False
`;

/** `transfer_call`, for flows that transfer calls. */
export const TRANSFER = `async def transfer_call(action: dict, flow_manager: FlowManager):
    """Transfers the call to action["number"]. How depends on your telephone line."""
    raise NotImplementedError("Write how your line transfers a call")


async def run_transfer(action: dict, flow_manager: FlowManager) -> tuple[dict, bool]:
    try:
        await transfer_call(action, flow_manager)
    except Exception as error:
        return {"error": str(error)}, False
    return {"transferred": True}, True
`;

/** `bot.py` behind its constants: the flow with services of OpenAI, and a transport of Pipecat's development runner. */
export const BOT = `


async def bot(runner_args: RunnerArguments):
    transport = await create_transport(runner_args, TRANSPORTS)
    # an eval harness, such as connect.pipecat() of Callweave, talks in text
    speaks = not type(transport).__name__.startswith("Eval")
    llm = OpenAILLMService(
        api_key=os.environ.get("OPENAI_API_KEY", "no-key"),
        base_url=os.environ.get("OPENAI_BASE_URL"),
        settings=OpenAILLMService.Settings(model=MODEL),
    )
    aggregators = LLMContextAggregatorPair(LLMContext(), **(user_turns() if speaks else {}))
    stages = [transport.input(), aggregators.user(), llm, transport.output(), aggregators.assistant()]
    if speaks:
        stages.insert(1, OpenAISTTService(api_key=os.environ["OPENAI_API_KEY"]))
        stages.insert(4, OpenAITTSService(api_key=os.environ["OPENAI_API_KEY"], **({"voice": VOICE} if VOICE else {})))
    worker = PipelineWorker(Pipeline(stages), params=PipelineParams())
    flow = Flow(FlowConfig.from_file(Path(__file__).parent / FLOW), handlers=HANDLERS)
    flow_manager = FlowManager(
        llm=llm, context_aggregator=aggregators, worker=worker, global_functions=flow.global_functions
    )
    flow_manager.state.update(copy.deepcopy(STATE))

    @transport.event_handler("on_client_connected")
    async def on_client_connected(transport, client):
        await flow_manager.initialize(flow.initial_node)

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(transport, client):
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


def user_turns():
    """How the bot hears that the caller has finished."""
    from pipecat.audio.vad.silero import SileroVADAnalyzer
    from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

    return {"user_params": LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer())}


if __name__ == "__main__":
    from pipecat.runner.run import main

    main()
`;

/** What `bot.py` imports. */
export const BOT_IMPORTS = `import copy
import os
from pathlib import Path

from handlers import HANDLERS, STATE
from pipecat.evals.transport import EvalTransportParams
from pipecat.flows import Flow, FlowConfig, FlowManager
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.runner.types import RunnerArguments
from pipecat.runner.utils import create_transport
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.transports.base_transport import TransportParams
from pipecat.workers.runner import WorkerRunner
`;
