import type { AgentConnection } from "./connection.ts";
import { type CustomOptions, customConnection } from "./custom.ts";
import { type HttpOptions, httpConnection } from "./http.ts";
import { type OpenAICompatibleOptions, openAICompatibleConnection } from "./openai_compatible.ts";

/** The ways to connect to an agent. */
export interface Connections {
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
}

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
export const connect: Connections = {
  custom: customConnection,
  http: httpConnection,
  openAICompatible: openAICompatibleConnection,
};
