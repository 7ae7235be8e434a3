export type { CallerVoice } from "./caller_voice.ts";
export { FRAME_MS } from "./level.ts";
export { type CallVoice, type TurnOptions, VOICE_RULES, type VoiceOptions } from "./options.ts";
export { PacketOrder, type SoundPacket } from "./packet_order.ts";
export {
  base64Of,
  busyEvents,
  bytesOf,
  type MessageSource,
  type ReadMessage,
  type SocketWireParts,
  socketWire,
} from "./socket_wire.ts";
export { createSoundReader, createSoundWriter, type SoundFormat } from "./sound_format.ts";
export { type VoiceFacts, type VoiceParts, voiceConnection } from "./voice_call.ts";
export type { VoiceSetup, VoiceWire, WireEvent } from "./voice_wire.ts";
export { type WebSocketOptions, webSocketConnection } from "./web_socket.ts";
export type { MessageMatch, WebSocketMessages } from "./web_socket_wire.ts";
