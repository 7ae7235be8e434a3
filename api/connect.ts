/**
 * `callweave/connect`: connections to agents where they run. `run()` takes one in place of a graph.
 *
 * @module
 */

export type { BlandOptions } from "../platforms/bland/talk/mod.ts";
export {
  type Connections,
  connect,
  type OwnConnections,
  type PlatformConnections,
} from "../platforms/connections/mod.ts";
export type { ElevenLabsOptions } from "../platforms/elevenlabs/talk/mod.ts";
export type { LiveKitOptions } from "../platforms/livekit/talk/mod.ts";
export type { OpenAIOptions } from "../platforms/openai/talk/mod.ts";
export type { PipecatOptions } from "../platforms/pipecat/talk/mod.ts";
export type { RetellOptions } from "../platforms/retell/talk/mod.ts";
export type { SipOptions } from "../platforms/sip/talk/mod.ts";
export type { AgentOptions } from "../platforms/talking/mod.ts";
export type { TelnyxOptions } from "../platforms/telnyx/talk/mod.ts";
export type { TwilioOptions } from "../platforms/twilio/talk/mod.ts";
export type { VapiChatOptions, VapiOptions } from "../platforms/vapi/talk/mod.ts";
export {
  type AgentCall,
  type AgentEvent,
  type AgentTool,
  type AgentTurn,
  type Capability,
  type ConnectionCapabilities,
  ConnectionError,
  type ConnectionFailure,
  type ConnectionRecord,
  type CustomAgent,
  type CustomContext,
  type CustomOptions,
  type CustomReply,
  type EndpointOptions,
  type GeneratingAgent,
  type HttpOptions,
  type HttpPaths,
  type HttpTurn,
  type MockedTools,
  type OpenAICompatibleOptions,
  type OpenOptions,
  type PrepareOptions,
  type ReportedToolCall,
  type SpokenMessage,
} from "../src/call/connection/mod.ts";
export type { IceServer } from "../src/call/rtc/mod.ts";
export type {
  CallVoice,
  MessageMatch,
  SoundFormat,
  TurnOptions,
  VoiceOptions,
  WebSocketMessages,
  WebSocketOptions,
} from "../src/call/voice/mod.ts";
export type {
  Approximation,
  ConnectedCallFacts,
  HeardWords,
  NotChecked,
  TurnPause,
  TurnPlace,
  VoiceInterruption,
  VoiceRecord,
} from "../src/document/transcript/mod.ts";
export type { ConnectionOptions } from "../src/run/runner/public.ts";
export * from "../src/run/verify/public.ts";
