export { overPhone } from "./line/mod.ts";
export { offlineSpeech, offlineTranscription } from "./offline/mod.ts";
export {
  type AudioOptions,
  lineOf,
  type PhoneLine,
  type SpeechReference,
  type TranscriptionReference,
} from "./options.ts";
export { compareWords, lostItems, wordErrorRate } from "./words/mod.ts";
