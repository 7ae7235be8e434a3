export { type CallAudio, createCallAudio, type HeardCall, heardTranscript } from "./call_audio.ts";
export { createHearing, type Heard, type Hearing, type HearOptions } from "./hearing.ts";
export {
  atRate,
  overPhone,
  readWave,
  type Sound,
  toInt16,
  writeWave,
} from "./line.ts";
export { audioModelName } from "./models.ts";
export { decodeMuLaw, encodeMuLaw } from "./mu_law.ts";
export { offlineSpeech, offlineTranscription } from "./offline.ts";
export {
  type AudioOptions,
  DEFAULT_AUDIO_CONCURRENCY,
  lineOf,
  type PhoneLine,
  type SpeechReference,
  type TranscriptionReference,
} from "./options.ts";
export { type SoundMark, writePcmWave } from "./pcm_wave.ts";
export { createResampler, type Resampler } from "./resample.ts";
export { createSoundModels, type SoundModels, type SoundRequest } from "./sound_models.ts";
export { compareWords, lostItems, wordErrorRate } from "./words/mod.ts";
