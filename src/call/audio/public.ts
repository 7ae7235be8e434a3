export { offlineSpeech, offlineTranscription } from "./offline.ts";
export type { AudioOptions, PhoneLine, SpeechReference, TranscriptionReference } from "./options.ts";
