"""The help desk's bot for tests: Pipecat's development runner serves it, and a local server is its model.

With `DESK_TONES`, it also speaks and hears, see `desk_tones.py`.
"""

import os

from desk_tones import TONES, ToneSTT, ToneTTS
from pipecat.evals.transport import EvalTransportParams
from pipecat.frames.frames import EndWorkerFrame, FunctionCallResultProperties, LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameDirection
from pipecat.runner.types import RunnerArguments
from pipecat.runner.utils import create_transport
from pipecat.serializers.protobuf import ProtobufFrameSerializer
from pipecat.services.llm_service import FunctionCallParams
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.transports.base_transport import TransportParams
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams
from pipecat.turns.user_start import TranscriptionUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner


async def look_up_order(params: FunctionCallParams, order_number: str):
    """Looks an order up.

    Args:
        order_number: Number of the order.
    """
    if order_number != "A-1042":
        return await params.result_callback({"error": "no such order"})
    await params.result_callback({"status": "shipped", "arrives": "Friday"})


async def end_call(params: FunctionCallParams):
    """Ends the call."""
    await params.llm.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)
    await params.result_callback({"ended": True}, properties=FunctionCallResultProperties(run_llm=False))


async def transfer_call(params: FunctionCallParams):
    """Puts the caller through to a person."""
    await end_call(params)


def web_socket_params(runner_args: RunnerArguments):
    """The parameters of a bot in production. It tells its turns and functions if the address asks for it."""
    is_told = runner_args.websocket.query_params.get("rtvi") == "on"
    serializer = ProtobufFrameSerializer(ProtobufFrameSerializer.InputParams(ignore_rtvi_messages=not is_told))
    return FastAPIWebsocketParams(audio_in_enabled=True, audio_out_enabled=True, serializer=serializer)


def user_params(runner_args: RunnerArguments):
    """A turn of the caller is over when its text is there, however late that is. It interrupts if the address asks for it."""
    if not TONES:
        return None
    socket = getattr(runner_args, "websocket", None)
    yields = socket is not None and socket.query_params.get("yields") == "on"
    return LLMUserAggregatorParams(
        user_turn_strategies=UserTurnStrategies(
            start=[TranscriptionUserTurnStartStrategy(enable_interruptions=yields)],
            stop=[SpeechTimeoutUserTurnStopStrategy()],
        ),
        user_turn_stop_timeout=60,
    )


async def bot(runner_args: RunnerArguments):
    transport = await create_transport(
        runner_args,
        {
            "eval": lambda: EvalTransportParams(audio_in_enabled=True, audio_out_enabled=True),
            "webrtc": lambda: TransportParams(audio_in_enabled=True, audio_out_enabled=True),
            "websocket": lambda: web_socket_params(runner_args),
        },
    )
    llm = OpenAILLMService(
        api_key="no-key",
        base_url=os.environ["DESK_MODEL"],
        settings=OpenAILLMService.Settings(model="desk"),
    )
    context = LLMContext(
        messages=[{"role": "system", "content": "You are the help desk."}], tools=[look_up_order, end_call, transfer_call]
    )
    aggregators = LLMContextAggregatorPair(context, user_params=user_params(runner_args))
    ears, voice = ([ToneSTT()], [ToneTTS()]) if TONES else ([], [])
    heard = [transport.input(), *ears, aggregators.user()]
    said = [*voice, transport.output(), aggregators.assistant()]
    worker = PipelineWorker(Pipeline([*heard, llm, *said]), params=PipelineParams())

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
