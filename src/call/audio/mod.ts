export { type CallAudio, createCallAudio, type HeardCall, heardTranscript } from "./call_audio.ts";
export { createHearing, type Heard, type Hearing, type HearOptions } from "./hearing.ts";
export { overPhone } from "./line.ts";
export { audioModelName } from "./models.ts";
export { offlineSpeech, offlineTranscription } from "./offline.ts";
export {
  type AudioOptions,
  DEFAULT_AUDIO_CONCURRENCY,
  lineOf,
  type PhoneLine,
  type SpeechReference,
  type TranscriptionReference,
} from "./options.ts";
export { compareWords, lostItems, wordErrorRate } from "./words/mod.ts";
