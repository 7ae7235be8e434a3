"""The voice and the ears of bots of tests: each sentence is one tone, as in `_tones.mjs`, so that no model is needed."""

import json
import os
import re
from itertools import groupby

import numpy as np
from pipecat.frames.frames import TranscriptionFrame, TTSAudioRawFrame
from pipecat.services.settings import STTSettings, TTSSettings
from pipecat.services.stt_service import STTService
from pipecat.services.tts_service import TTSService
from pipecat.utils.time import time_now_iso8601

# the frequency of each text
TONES: dict[str, int] = json.loads(os.environ.get("DESK_TONES", "{}"))
TONE_SECS = 0.6
LEVEL = 9_000
LOUD = 2_000
QUIET_SECS = 0.6
# a tone that is heard in fewer parts of 20 ms is a noise
LEAST_PARTS = 5


def spoken(text: str, rate: int) -> bytes:
    """The tones of a text, one a sentence. A sentence without one is an error."""
    times = np.arange(int(TONE_SECS * rate)) / rate
    tones = [TONES[sentence.strip()] for sentence in re.findall(r"[^.?!]+[.?!]+", text)]
    sound = [LEVEL * np.sin(2 * np.pi * hz * times) for hz in tones]
    return np.concatenate(sound).astype(np.int16).tobytes()


def heard(sound: bytes, rate: int) -> str:
    """The sentences whose tones are in a sound, whatever is missing of them; empty for silence."""
    size = rate // 50
    samples = np.frombuffer(sound, np.int16)
    parts = samples[: len(samples) // size * size].reshape(-1, size)
    turns = np.exp(np.arange(size)[:, None] * -2j * np.pi / rate * np.array(list(TONES.values())))
    powers = np.abs(parts @ turns) / size
    texts: list[str] = []
    for tone, run in groupby(np.where(powers.max(1) > LEVEL / 20, powers.argmax(1), -1)):
        if tone >= 0 and len(list(run)) >= LEAST_PARTS:
            texts.append(list(TONES)[tone])
    return " ".join(text for text, _ in groupby(texts))


class ToneSTT(STTService):
    """Hears the tone of a text when it is over. It counts samples: how late they come changes nothing."""

    def __init__(self):
        super().__init__(ttfs_p99_latency=0, settings=STTSettings(model=None, language=None))
        self._sound = bytearray()
        self._quiet = 0

    async def run_stt(self, audio: bytes):
        is_loud = np.frombuffer(audio, np.int16).max() > LOUD
        if is_loud or self._sound:
            self._sound += audio
        self._quiet = 0 if is_loud else self._quiet + len(audio) // 2
        text = ""
        if self._sound and self._quiet >= QUIET_SECS * self.sample_rate:
            text = heard(bytes(self._sound), self.sample_rate)
            self._sound.clear()
        yield TranscriptionFrame(text, "", time_now_iso8601(), finalized=True) if text else None


class ToneTTS(TTSService):
    """Says the tones of texts."""

    def __init__(self):
        settings = TTSSettings(model=None, voice=None, language=None)
        super().__init__(push_start_frame=True, push_stop_frames=True, settings=settings)

    async def run_tts(self, text: str, context_id: str):
        sound = spoken(text, self.sample_rate)
        yield TTSAudioRawFrame(sound, self.sample_rate, 1, context_id=context_id)
