export { offlineSpeech } from "./speech.ts";
export { offlineTranscription } from "./transcription.ts";
