/**
 * `callweave/connect`: connections to agents where they run. `run()` takes one in place of a graph.
 *
 * @module
 */
export {
  type AgentCall,
  type AgentEvent,
  type AgentTurn,
  type Capability,
  type ConnectionCapabilities,
  ConnectionError,
  type ConnectionFailure,
  type ConnectionRecord,
  type Connections,
  type CustomAgent,
  type CustomContext,
  type CustomOptions,
  type CustomReply,
  connect,
  type EndpointOptions,
  type GeneratingAgent,
  type HttpOptions,
  type HttpPaths,
  type HttpTurn,
  type MockedTools,
  type OpenAICompatibleOptions,
  type OpenOptions,
  type ReportedToolCall,
  type SpokenMessage,
} from "../src/call/connection/mod.ts";
export type { ConnectedCallFacts, NotChecked } from "../src/document/transcript/mod.ts";
export type { ConnectionOptions } from "../src/run/runner/public.ts";
