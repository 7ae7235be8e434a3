export type { CallerVoice } from "./caller_voice.ts";
export { FRAME_MS } from "./level.ts";
export { type TurnOptions, VOICE_RULES, type VoiceOptions } from "./options.ts";
export { type VoiceParts, type VoiceSetup, voiceConnection } from "./voice_call.ts";
export type { VoiceWire, WireEvent } from "./voice_line.ts";
