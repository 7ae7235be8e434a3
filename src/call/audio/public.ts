export { offlineSpeech, offlineTranscription } from "./offline/mod.ts";
export type { AudioOptions, PhoneLine, SpeechReference, TranscriptionReference } from "./options.ts";
