export {
  type AgentClient,
  type AgentRequest,
  type CallRequest,
  createAgentClient,
  ENDPOINT_RULES,
  type EndpointOptions,
} from "./agent_client.ts";
export {
  type AgentSocket,
  type AgentSocketOptions,
  openAgentSocket,
} from "./agent_socket.ts";
export { ConnectedCall, type ConnectedCallOptions, factsOf } from "./connected_call.ts";
export type * from "./connection.ts";
export { TEXT_ONLY } from "./connection.ts";
export {
  ConnectionError,
  type ConnectionFailure,
  connectionFailure,
  isLastingFailure,
} from "./connection_error.ts";
export {
  type CustomAgent,
  type CustomContext,
  type CustomOptions,
  type CustomReply,
  customConnection,
  customContext,
  type GeneratingAgent,
  historyCall,
  type MockedTools,
} from "./custom.ts";
export type { CallerTurnStep, HeldCall } from "./held_call.ts";
export { type HttpOptions, type HttpPaths, type HttpTurn, httpConnection } from "./http.ts";
export type { SocketMessage } from "./inbox.ts";
export {
  hasAny,
  isCheckable,
  isReported,
  lackWords,
  needIssue,
  realToolsOf,
  type UnmetNeed,
  unmetNeeds,
  withoutUnreported,
  withReportedReplies,
} from "./needs.ts";
export { type OpenAICompatibleOptions, openAICompatibleConnection } from "./openai_compatible.ts";
