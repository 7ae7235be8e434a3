import { diffGraphs, knownVariables } from "../../../agent/analysis/mod.ts";
import { type JsonObject, own, pick } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Divergence, ReplayRecord } from "../../../document/transcript/mod.ts";
import type { NewResult } from "../../store/mod.ts";
import type { StoredCall } from "../recording.ts";
import { callSteps } from "./call_steps.ts";
import { compareCalls } from "./compare_calls.ts";
import { knownSteps } from "./known_steps.ts";

/** Maximum number of graph changes that a divergence names. */
const MOST_CHANGES = 5;

/** Returns a function that compares replays on a graph with their recordings. */
export function createComparison(today: AgentGraph, mode: ReplayRecord["mode"]) {
  const changes = new Map<AgentGraph, ReturnType<typeof diffGraphs>>();

  function changesAt(before: AgentGraph, nodeId: string): readonly string[] {
    const found = changes.get(before) ?? diffGraphs(before, today);
    changes.set(before, found);
    return found
      .filter(({ node, nodes }) => node === nodeId || nodes?.includes(nodeId))
      .map(({ message }) => message)
      .slice(0, MOST_CHANGES);
  }

  return (recording: StoredCall, replayed: NewResult): ReplayRecord => {
    const { result, graph: before, isComplete } = recording;
    const steps = {
      recorded: callSteps(result, { splitsTurns: isComplete }),
      replayed: callSteps(replayed, { splitsTurns: true }),
    };
    const compared = isComplete ? steps : knownSteps(steps, result, { before, today });
    const variables = comparedVariables(recording, replayed, today);
    const found = compareCalls({ ...compared, before, today, variables, hasSameTurns: mode === "strict" });
    const [first, ...rest] = result.endReason ? found : found.filter(({ kind }) => kind !== "end");
    const divergences = first ? [withChanges(first, changesAt(before, first.nodeId)), ...rest] : [];
    return { ofResult: result.id, mode, divergences };
  };
}

function withChanges(divergence: Divergence, graphChanges: readonly string[]): Divergence {
  return graphChanges.length === 0 ? divergence : { ...divergence, graphChanges };
}

/**
 * The final values that can be compared: those in the recording that a call on the new graph can set. Start
 * values are the same on both sides, unless the recording does not have them.
 */
function comparedVariables(
  { result, graph, startVariables, isComplete }: StoredCall,
  replayed: NewResult,
  today: AgentGraph,
) {
  const known = new Set([...knownVariables(today).keys(), ...knownVariables(graph).keys()]);
  const isSet = (values: JsonObject, name: string) =>
    known.has(name) || (isComplete && own(startVariables, name) !== own(values, name));
  const names = [...new Set([...Object.keys(result.variables), ...Object.keys(replayed.variables)])].filter(
    (name) =>
      (isSet(result.variables, name) || isSet(replayed.variables, name)) &&
      (Object.hasOwn(result.variables, name) || (isComplete && !isDefault(today, replayed, name))),
  );
  return { recorded: pick(result.variables, names), replayed: pick(replayed.variables, names) };
}

/** Whether a value is a new default of the new graph, which no call has set. */
function isDefault(
  { source_metadata: { default_dynamic_variables: defaults } }: AgentGraph,
  call: NewResult,
  name: string,
) {
  return own(defaults ?? {}, name) !== undefined && own(call.startVariables ?? {}, name) === own(call.variables, name);
}
