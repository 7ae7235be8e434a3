import {
  type AgentConnection,
  type CustomOptions,
  customConnection,
  type HttpOptions,
  httpConnection,
  type OpenAICompatibleOptions,
  openAICompatibleConnection,
} from "../../src/call/connection/mod.ts";
import { type WebSocketOptions, webSocketConnection } from "../../src/call/voice/mod.ts";
import { PLATFORM_CONNECTIONS } from "./all_talks.ts";

/** The ways to connect to an agent of one's own. */
export interface OwnConnections {
  /**
   * Connects to a function of your own, or to an agent of the AI SDK. It gets the whole history each turn.
   *
   * @throws {ScenarioError} `invalid-option`.
   */
  readonly custom: (options: CustomOptions) => AgentConnection;
  /**
   * Connects to an agent behind HTTP: a `POST` each turn, with an answer in JSON.
   *
   * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
   */
  readonly http: (options: HttpOptions) => AgentConnection;
  /**
   * Connects to a chat endpoint that speaks OpenAI's protocol. The whole history is sent each turn.
   *
   * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
   */
  readonly openAICompatible: (options: OpenAICompatibleOptions) => AgentConnection;
  /**
   * Calls an agent behind a WebSocket by voice: its sound is PCM or µ-law, in binary messages or in JSON.
   *
   * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
   */
  readonly webSocket: (options: WebSocketOptions) => AgentConnection;
}

/** The ways to connect to the agent of a platform, by the platform's name. */
export type PlatformConnections = Readonly<typeof PLATFORM_CONNECTIONS>;

/** The ways to connect to an agent. */
export type Connections = OwnConnections & PlatformConnections;

const OWN: OwnConnections = {
  custom: customConnection,
  http: httpConnection,
  openAICompatible: openAICompatibleConnection,
  webSocket: (options) => webSocketConnection(options),
};

/**
 * Connects to an agent where it runs. `run()` takes a connection in place of a graph.
 *
 * @example
 * ```ts
 * import { run, scenario } from "callweave";
 * import { connect } from "callweave/connect";
 *
 * const agent = connect.custom({ agent: (messages) => (messages.length > 1 ? "Goodbye." : "Hello, how can I help?") });
 * const report = await run(agent, [scenario("greets").says("Hi").includes("how can I help")], { store: false });
 * console.log(report.counts);
 * ```
 */
export const connect: Connections = { ...OWN, ...PLATFORM_CONNECTIONS };
