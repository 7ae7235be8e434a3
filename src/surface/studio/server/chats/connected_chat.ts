import { StudioError } from "../../../../base/errors.ts";
import { createRedactor } from "../../../../base/redaction/mod.ts";
import {
  type AgentConnection,
  ConnectedCall,
  connectionFailure,
  realToolsOf,
} from "../../../../call/connection/mod.ts";
import type { Turn } from "../../../../call/engine/mod.ts";
import { createCallClock } from "../../../../call/models/mod.ts";
import type { AgentGraph } from "../../../../document/graph/mod.ts";
import type { ToolMock } from "../../../../document/scenario/mod.ts";
import type { Message } from "../../../../document/transcript/mod.ts";

/** A deployed agent to talk with, and how the call starts. */
export interface ConnectedBeginning {
  readonly connection: AgentConnection;
  /** Names the nodes that the agent reports. */
  readonly graph: AgentGraph | undefined;
  readonly variables: { readonly [name: string]: unknown };
  readonly mocks: readonly ToolMock[];
}

/** A reply that takes longer ends the call. */
const TURN_MS = 60_000;

/**
 * Refuses what would surprise: tools that would really run, and calls that are by voice only.
 *
 * @throws {StudioError} `real-tools`, `missing-capability`.
 */
export function refuseConnection({ connection, mocks }: ConnectedBeginning, allowRealTools: boolean): void {
  const { name, capabilities } = connection;
  if (!capabilities.text)
    throw new StudioError(`Cannot talk with "${name}" here: its calls are by voice only`, {
      code: "missing-capability",
      path: ["connection"],
      hint: "Hold calls with it by voice: callweave run --agent AGENT --voice",
    });
  const running = allowRealTools ? [] : realToolsOf(connection);
  if (running.length > 0)
    throw new StudioError(`Cannot talk with "${name}": its tools would really run: ${running.join(", ")}`, {
      code: "real-tools",
      path: ["allowRealTools"],
      hint: "Set allowRealTools if they may run, or talk with an agent whose tools change nothing",
    });
  const lacks = allowRealTools || capabilities.mocks ? [] : mocks.map(({ tool_name }) => tool_name);
  if (lacks.length > 0)
    throw new StudioError(`Cannot talk with "${name}": it cannot mock ${[...new Set(lacks)].join(", ")}`, {
      code: "real-tools",
      path: ["scenario"],
      hint: "Start without a scenario, or set allowRealTools if its tools may run",
    });
}

/** A call with a deployed agent, with a person as its caller. It cannot be undone, as the agent keeps its own state. */
export class ConnectedChat {
  readonly steps = [];
  readonly #call: ConnectedCall;
  readonly #stop = new AbortController();
  readonly #name: string;
  #node = "";
  #closing: Promise<void> | undefined;

  /** @param onMessage Called with each message as it comes. */
  constructor(
    { connection, graph, variables, mocks }: ConnectedBeginning,
    { allowRealTools, onMessage }: { readonly allowRealTools: boolean; readonly onMessage: (message: Message) => void },
  ) {
    this.#name = connection.name;
    this.#call = new ConnectedCall(connection, {
      ...{ variables, mocks, allowRealTools, graph, clock: createCallClock(), now: () => new Date() },
      signal: this.#stop.signal,
      listeners: { onMessage: ({ message }) => onMessage(message) },
    });
  }

  get state() {
    const { transcript, nodesVisited, variables, endReason } = this.#call;
    return { nodeId: this.#node, transcript, nodesVisited, variables, endReason };
  }

  async open(): Promise<void> {
    await this.#turn(() => this.#call.open());
  }

  async say(text: string): Promise<void> {
    await this.#turn(() => this.#call.hear(text));
  }

  /** Ends the call also at the agent. */
  abort(): void {
    this.#call.end("caller_ended");
    void this.#close().catch(() => {});
  }

  /** A turn that fails ends the call: what the agent knows of it is not known. */
  async #turn(take: () => Promise<Turn>): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), TURN_MS);
    try {
      this.#node = (await take()).nodeId;
      if (this.#call.ended) await this.#close();
    } catch (error) {
      const isLate = this.#stop.signal.aborted;
      this.#call.end(isLate ? "turn_timeout" : "failed");
      await this.#close().catch(() => {});
      throw isLate ? connectionFailure(this.#name, "silence", `it did not answer within ${TURN_MS / 1000} s`) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  #close(): Promise<void> {
    this.#closing ??= this.#call.close();
    return this.#closing;
  }
}

/** The error of what only a chat with a graph can do. */
export function onlyWithGraph(action: string, name: string): StudioError {
  return new StudioError(`Cannot ${action}: "${createRedactor().text(name)}" keeps the state of its calls to itself`, {
    code: "missing-capability",
    path: ["connection"],
    hint: "Start a chat with the agent's graph for that",
  });
}
