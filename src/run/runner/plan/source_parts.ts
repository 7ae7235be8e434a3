import { isCallweaveError, ModelError, ScenarioError } from "../../../base/errors.ts";
import { checkOptions, isRecord, rule, shown, startTimeLimit } from "../../../base/values/mod.ts";
import {
  type AgentConnection,
  ConnectionError,
  type ConnectionFailure,
  connectionFailure,
} from "../../../call/connection/mod.ts";
import { type Model, type ModelReference, offline } from "../../../call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../document/graph/mod.ts";
import type { RunContext } from "../call/mod.ts";
import type { RunOptions } from "../options.ts";
import { checkRunOptions } from "./option_rules.ts";

/** The parts of a run of scenarios with an agent where it runs. */
export interface ConnectedParts {
  readonly graph: AgentGraph;
  readonly options: RunOptions;
  readonly context: RunContext;
}

/** Whether a value is a connection to an agent: it has capabilities and opens calls. */
export function isConnection(value: unknown): value is AgentConnection {
  return isRecord(value) && isRecord(value.capabilities) && typeof value.open === "function";
}

/** Options of `run()` that have no meaning for an agent where it runs: its models, tools and turns are its own. */
const AGENT_OWNS: readonly (readonly [group: keyof RunOptions, name?: string])[] = [
  ["tools"],
  ["toolState"],
  ["liveTools"],
  ["turn"],
  ["models", "agent"],
  ["models", "fromScenarios"],
  ["share", "queue"],
];

/** Time limit for looking an agent up before a run, in milliseconds. */
const PREPARE_TIMEOUT_MS = 60_000;

/**
 * Separates a run with a graph from one with a connection, and looks the agent of a connection up.
 *
 * @throws {ScenarioError} `invalid-option`.
 * @throws {ConnectionError} When the agent cannot be looked up.
 */
export async function sourceParts(source: AgentGraph | AgentConnection, given: RunOptions): Promise<ConnectedParts> {
  if (!isConnection(source)) {
    if (isRecord(given) && given.connection !== undefined) throw meaningless(["connection"], "a graph");
    return { graph: source, options: given, context: {} };
  }
  const action = "Cannot run scenarios";
  checkOptions({ connection: source }, { connection: CONNECTION }, ScenarioError, action, { open: false });
  checkRunOptions(given);
  const { connection: own = {}, models = {}, ...options } = given;
  const owned = AGENT_OWNS.find(([group, name]) => {
    const value = given[group];
    return name === undefined ? value !== undefined : isRecord(value) && value[name] !== undefined;
  });
  if (owned) throw meaningless(owned.map(String), "an agent where it runs");
  const connection = await lookUpAgent(source, given.signal);
  const { graph = await graphOf(connection), unchecked = "refuse", allowRealTools = false } = own;
  const caller: ModelReference = models.caller ?? offline();
  return {
    graph: graph ?? standInGraph(connection),
    options: {
      name: connection.name,
      ...options,
      models: { judge: caller, ...models, caller, agent: standIn(connection) },
    },
    context: { connected: { connection, graph, unchecked, allowRealTools } },
  };
}

/** The graph of the agent as its platform has it; `undefined` if the platform gives none, or none that can be read. */
export async function graphOf({ document }: AgentConnection): Promise<AgentGraph | undefined> {
  if (document === undefined) return undefined;
  const { importAgent } = await import("../../../../platforms/mod.ts");
  try {
    return importAgent(document).graph;
  } catch (error) {
    if (isCallweaveError(error)) return undefined;
    throw error;
  }
}

/**
 * Looks an agent up: its version, tools and nodes are known afterwards, and stay the same for all calls.
 *
 * @throws {ConnectionError}
 */
export async function lookUpAgent(connection: AgentConnection, cancel?: AbortSignal): Promise<AgentConnection> {
  if (!connection.prepare) return connection;
  const { name } = connection;
  using limit = startTimeLimit(PREPARE_TIMEOUT_MS, cancel);
  const { signal } = limit;
  const fail = (kind: ConnectionFailure, state: string, cause?: unknown) =>
    connectionFailure(name, kind, state, cause === undefined ? {} : { cause });
  let found: unknown;
  try {
    found = await limit.until(connection.prepare({ signal, pauseClock: () => () => {} }));
  } catch (error) {
    if (limit.expired()) throw fail("silence", `it was not found within ${PREPARE_TIMEOUT_MS} ms`);
    // a model of the caller's voice, or a package that is missing, says nothing about the agent
    if (error instanceof ConnectionError || error instanceof ModelError || isMissingPackage(error) || cancel?.aborted)
      throw error;
    throw fail("agent", error instanceof Error ? error.message : shown(error), error);
  }
  if (isConnection(found)) return pinned(found);
  throw fail("vendor", `looking it up gave ${shown(found)}, which is no connection`);
}

/** Whether what a connection needs is not installed, which its own error says how to do. */
function isMissingPackage(error: unknown): boolean {
  return isCallweaveError(error) && error.code === "missing-package";
}

/** A connection that is not looked up again: the version that answers stays that of the first look. */
function pinned(connection: AgentConnection): AgentConnection {
  const { prepare: _, ...rest } = connection;
  return { ...rest, open: (options) => connection.open(options) };
}

function meaningless(path: readonly string[], source: string): ScenarioError {
  const name = path.join(".");
  return new ScenarioError(`Cannot run scenarios: option ${name} has no meaning for ${source}`, {
    code: "invalid-option",
    path,
    hint: `Remove ${name}`,
  });
}

const CONNECTION = rule(
  "a connection with name, capabilities and open(), as connect makes them",
  (value) => isConnection(value) && typeof value.name === "string" && value.name.trim() !== "",
);

/** A graph for the records of a run without one. */
export function standInGraph({ name }: AgentConnection): AgentGraph {
  return parseGraph({ entry_node_id: "agent", nodes: { agent: {} }, source_metadata: { name } });
}

/** A model that stands for the agent in the records of a run. It is never asked. */
function standIn({ name, version }: AgentConnection): Model {
  const model = offline();
  const refuse = () =>
    Promise.reject(
      new ModelError(`Cannot ask the models of "${name}": it runs elsewhere`, {
        code: "unknown-model",
        hint: "Remove the option that asks the agent's model",
      }),
    );
  const modelId = version === undefined ? name : `${name}@${version}`;
  return { ...model, provider: "connection", modelId, doGenerate: refuse, doStream: refuse };
}
