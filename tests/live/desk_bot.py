"""The help desk's bot for tests: Pipecat's development runner serves it, and a local server is its model."""

import os

from pipecat.evals.transport import EvalTransportParams
from pipecat.frames.frames import EndWorkerFrame, LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameDirection
from pipecat.runner.types import RunnerArguments
from pipecat.runner.utils import create_transport
from pipecat.services.llm_service import FunctionCallParams
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.workers.runner import WorkerRunner


async def look_up_order(params: FunctionCallParams, order_number: str):
    """Looks an order up.

    Args:
        order_number: Number of the order.
    """
    await params.result_callback({"status": "shipped", "arrives": "Friday"})


async def end_call(params: FunctionCallParams):
    """Ends the call."""
    await params.llm.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)
    await params.result_callback({"ended": True})


async def bot(runner_args: RunnerArguments):
    transport = await create_transport(
        runner_args, {"eval": lambda: EvalTransportParams(audio_in_enabled=True, audio_out_enabled=True)}
    )
    llm = OpenAILLMService(
        api_key="no-key",
        base_url=os.environ["DESK_MODEL"],
        settings=OpenAILLMService.Settings(model="desk"),
    )
    context = LLMContext(
        messages=[{"role": "system", "content": "You are the help desk."}], tools=[look_up_order, end_call]
    )
    aggregators = LLMContextAggregatorPair(context)
    worker = PipelineWorker(
        Pipeline([transport.input(), aggregators.user(), llm, transport.output(), aggregators.assistant()]),
        params=PipelineParams(),
    )

    @transport.event_handler("on_client_connected")
    async def on_client_connected(transport, client):
        await worker.queue_frames([LLMRunFrame()])

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(transport, client):
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


if __name__ == "__main__":
    from pipecat.runner.run import main

    main()
