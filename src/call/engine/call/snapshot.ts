import * as v from "valibot";
import { EngineError, type Issue, throwIssues } from "../../../base/errors.ts";
import { defined, didYouMean, isRecord, madeOnceFor, shown } from "../../../base/values/mod.ts";
import { type AgentGraph, fingerprint, type ToolState } from "../../../document/graph/mod.ts";
import {
  END_REASONS,
  type EndReason,
  type EvaluatedEquation,
  type LatencyParts,
  type Message,
  type ToolCall,
  type TurnLatency,
} from "../../../document/transcript/mod.ts";
import { type CallUsage, SIGNATURE_NAMES } from "../../models/mod.ts";
import { copyToolState } from "../../turn/mod.ts";
import type { CallState } from "./call_state.ts";

const ACTION = "Cannot continue the call";
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const record = v.custom<{ readonly [name: string]: unknown }>(isRecord, "Invalid type: Expected Object");
const texts = v.array(v.string());
const clauses = v.array(v.boolean());

const SCHEMA = v.looseObject({
  version: v.literal(1),
  fingerprint: v.optional(v.string()),
  opened: v.boolean(),
  transcript: v.array(
    v.looseObject({
      role: v.picklist(["user", "assistant", "tool", "system"]),
      content: v.string(),
      node_id: v.string(),
      timestamp: v.string(),
      metadata: record,
    }),
  ),
  nodesVisited: texts,
  toolsCalled: v.array(
    v.looseObject({
      name: v.string(),
      arguments: record,
      result: v.unknown(),
      outcome: v.picklist(["succeeded", "failed"]),
      durationMs: v.number(),
      nodeId: v.string(),
      mocked: v.boolean(),
    }),
  ),
  variables: v.custom<{ readonly [name: string]: string }>(
    (value) => isRecord(value) && Object.values(value).every((each) => typeof each === "string"),
    "Invalid type: Expected an object of texts",
  ),
  latency: v.optional(
    v.array(
      v.looseObject({
        turn: count,
        nodeId: v.string(),
        firstWordMs: v.nullable(v.number()),
        parts: v.optional(
          v.looseObject({ transition: v.number(), extraction: v.number(), tools: v.number(), reply: v.number() }),
        ),
      }),
    ),
  ),
  originators: texts,
  nodeId: v.string(),
  enteredAt: count,
  spokenHere: v.boolean(),
  evaluated: v.array(
    v.union([v.looseObject({ transition: count, clauses }), v.looseObject({ go_back: count, clauses })]),
  ),
  steering: texts,
  mocksUsed: v.array(count),
  toolState: v.optional(v.record(v.string(), v.unknown())),
  usage: v.array(
    v.looseObject({
      signature: v.picklist(SIGNATURE_NAMES),
      model: v.string(),
      inputTokens: v.number(),
      outputTokens: v.number(),
      costUsd: v.optional(v.number()),
      failed: v.optional(v.literal(true)),
      modelMs: v.number(),
    }),
  ),
  elapsedMs: v.number(),
  endReason: v.optional(v.picklist(END_REASONS)),
  endDetail: v.optional(v.string()),
});

/**
 * Checks that a value is a snapshot of a call on this graph.
 *
 * @throws {EngineError} `not-a-snapshot`; `snapshot-mismatch` when it is of another graph,
 *   or when its nodes are not in this one.
 */
export function parseSnapshot(value: unknown, graph: AgentGraph): ConversationSnapshot {
  if (!v.is(SCHEMA, value)) {
    const [found] = isRecord(value) ? (v.safeParse(SCHEMA, value).issues ?? []).map(issueOf) : [];
    const issue = found ?? notOne(["from"], `the snapshot is ${shown(value)}`);
    throw new EngineError(`${ACTION}: ${issue.message}`, issue);
  }
  throwIssues(EngineError, ACTION, mismatches(value, graph));
  const usage = value.usage.map((each) => ({ ...each, costUsd: each.costUsd })); // JSON drops an unknown cost
  const { latency = [], ...rest } = value;
  return { ...rest, usage, latency: latency.map(latencyOf) };
}

/** Leaves out a key that is `undefined`. */
function latencyOf({
  parts,
  ...turn
}: Omit<TurnLatency, "parts"> & { readonly parts?: LatencyParts | undefined }): TurnLatency {
  return { ...turn, ...(parts ? { parts } : {}) };
}

function issueOf({ path, message }: v.BaseIssue<unknown>): Issue {
  const at = (path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  return notOne(["from", ...at], `"${["from", ...at].join(".")}": ${message}`);
}

function notOne(path: Issue["path"], message: string): Issue {
  return { code: "not-a-snapshot", path, message, hint: "Pass the result of snapshot(), or its parsed JSON" };
}

function mismatches(snapshot: v.InferInput<typeof SCHEMA>, graph: AgentGraph): Issue[] {
  const code = "snapshot-mismatch";
  if (snapshot.fingerprint !== undefined && snapshot.fingerprint !== fingerprintOf(graph)) {
    const hint = "Pass the graph of that call, or leave out `fingerprint` to continue with another version";
    return [{ code, path: ["from", "fingerprint"], message: "the snapshot is of another graph", hint }];
  }
  const nodes = [
    { path: ["from", "nodeId"], id: snapshot.nodeId },
    ...snapshot.originators.map((id, at) => ({ path: ["from", "originators", at], id })),
  ];
  const unknown = nodes.filter(({ id }) => !Object.hasOwn(graph.nodes, id));
  const issues = unknown.map(({ path, id }): Issue => {
    const hint = didYouMean(id, Object.keys(graph.nodes), "Choose a node of the graph");
    return { code, path, message: `node "${id}" is not in the graph`, hint };
  });
  if (snapshot.enteredAt <= snapshot.transcript.length) return issues;
  const message = `"from.enteredAt" is ${snapshot.enteredAt}, but the transcript ends at ${snapshot.transcript.length}`;
  return [...issues, notOne(["from", "enteredAt"], message)];
}

/**
 * A call between two turns, as plain JSON. A new call can continue from it, also with changed values: set another `nodeId`
 * to move the call to that node, or leave out `fingerprint` to continue with another version of the graph.
 */
export interface ConversationSnapshot {
  readonly version: 1;
  /** Fingerprint of the graph. */
  readonly fingerprint?: string;
  readonly opened: boolean;
  readonly transcript: readonly Message[];
  readonly nodesVisited: readonly string[];
  readonly toolsCalled: readonly ToolCall[];
  /** How long the caller waited in the turns so far; absent in older snapshots. */
  readonly latency?: readonly TurnLatency[];
  readonly variables: { readonly [name: string]: string };
  /** Nodes from which global nodes were entered, oldest first. */
  readonly originators: readonly string[];
  /** The current node. */
  readonly nodeId: string;
  /** Index in the transcript at which the current node was entered. */
  readonly enteredAt: number;
  /** Whether the current node has spoken since it was entered. */
  readonly spokenHere: boolean;
  /** Equations that were evaluated and are not in the transcript yet. */
  readonly evaluated: readonly EvaluatedEquation[];
  /** Steering messages that the model has not received yet. */
  readonly steering: readonly string[];
  /** How often each mock has answered, in the order of the mocks. */
  readonly mocksUsed: readonly number[];
  /** The state of the tools; absent if it is empty. */
  readonly toolState?: ToolState;
  /** The usage of every model call; it counts towards budgets. */
  readonly usage: readonly CallUsage[];
  /** Time in milliseconds that counts towards the budget `wallMs`; time between two calls does not. */
  readonly elapsedMs: number;
  /** Absent while the call goes on. */
  readonly endReason?: EndReason;
  readonly endDetail?: string;
}

/** The fingerprint of a graph. Hashing a large graph takes milliseconds, and snapshots are taken after every turn, so it is kept. */
const fingerprintOf = madeOnceFor(fingerprint);

function toolStateOf({ sources: { state } }: CallState): Pick<ConversationSnapshot, "toolState"> {
  return state && Object.keys(state.value).length > 0 ? { toolState: copyToolState(state.value) } : {};
}

/** Copies the state of a call between two turns. */
export function takeSnapshot(state: CallState, opened: boolean): ConversationSnapshot {
  return {
    version: 1,
    fingerprint: fingerprintOf(state.graph),
    opened,
    transcript: [...state.transcript],
    nodesVisited: [...state.nodesVisited],
    toolsCalled: [...state.toolsCalled],
    latency: [...state.latency],
    variables: Object.fromEntries(state.variables),
    originators: [...state.originators],
    nodeId: state.at,
    enteredAt: state.enteredAt,
    spokenHere: state.spokenHere,
    evaluated: [...state.evaluated],
    steering: [...state.steering.waiting],
    mocksUsed: [...state.sources.mocks.answered],
    ...toolStateOf(state),
    usage: [...state.usage],
    elapsedMs: state.spent.wallMs(),
    ...defined({ endReason: state.endReason, endDetail: state.endDetail }),
  };
}
