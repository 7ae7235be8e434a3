export type { EndpointOptions } from "./agent_client.ts";
export { type Connections, connect } from "./connect.ts";
export { ConnectedCall, type ConnectedCallOptions, factsOf, type HeldCall } from "./connected_call.ts";
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
  type GeneratingAgent,
  type MockedTools,
} from "./custom.ts";
export type { HttpOptions, HttpPaths, HttpTurn } from "./http.ts";
export { hasAny, isCheckable, lackWords, needIssue, unmetNeeds } from "./needs.ts";
export type { OpenAICompatibleOptions } from "./openai_compatible.ts";
