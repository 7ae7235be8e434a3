import { defined, isRecord, type JsonObject, omit } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { type CallerAct, type Interruption, readAct, readInterruption } from "../../document/scenario/mod.ts";
import type { Message } from "../../document/transcript/mod.ts";
import type { ResultRecord } from "../store/mod.ts";

/** A turn of the recorded caller, with the agent's words before it. */
export interface RecordedTurn {
  readonly said: string;
  /** Everything that the agent said since the caller's last turn; empty if it was silent. */
  readonly asked: string;
  /** What the caller did besides saying words; absent for words alone. */
  readonly step?: { readonly act?: CallerAct; readonly interrupts?: Interruption };
}

/** A stored call to replay. */
export interface StoredCall {
  readonly result: ResultRecord;
  /** The call's graph, if it is stored. */
  readonly graph: AgentGraph;
  /** Whether the engine ran the call, so that its record is complete. Platforms leave out silent nodes, for example. */
  readonly isComplete: boolean;
  readonly turns: readonly RecordedTurn[];
  readonly startVariables: JsonObject;
}

/** Reads a stored result as a recording. */
export function recordingOf(result: ResultRecord, graph: AgentGraph): StoredCall {
  const isComplete = result.provenance === undefined;
  return {
    result,
    graph,
    isComplete,
    turns: turnsOf(result, isComplete),
    startVariables: startVariablesOf(result, graph),
  };
}

/**
 * The caller's turns. In calls of platforms, consecutive lines of the caller are one turn: the platform
 * splits speech at pauses. The engine records each turn of the caller as one line.
 */
function turnsOf({ transcript }: ResultRecord, isComplete: boolean): readonly RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  let asked: string[] = [];
  let isOpen = false;
  for (const { role, content, metadata } of transcript) {
    const last = turns.at(-1);
    if (role === "user" && isOpen && last && !isComplete) {
      turns.splice(-1, 1, { ...last, said: `${last.said} ${content}` });
    } else if (role === "user") {
      turns.push({ said: content, asked: asked.join("\n"), ...stepIn(metadata) });
      asked = [];
      isOpen = true;
    } else {
      if (role === "assistant") asked.push(content);
      isOpen = false;
    }
  }
  return turns;
}

function stepIn({ act: acted, interrupts: over }: Message["metadata"]): Pick<RecordedTurn, "step"> {
  const [act, interrupts] = [readAct(acted), readInterruption(over)];
  return act || interrupts ? { step: defined({ act, interrupts }) } : {};
}

/**
 * The start values of the call. Results of earlier versions do not have them; then the final values are used,
 * without those that extractions and tools can have set.
 */
function startVariablesOf(
  { startVariables, provenance, variables, transcript }: ResultRecord,
  graph: AgentGraph,
): JsonObject {
  if (startVariables) return startVariables;
  const facts = provenance?.facts?.start_variables;
  if (isRecord(facts)) return facts;
  if (provenance) return {};
  const extracted = transcript.flatMap(({ metadata }) =>
    (metadata.kind === "extraction" || metadata.kind === "variables") && isRecord(metadata.variables)
      ? Object.keys(metadata.variables)
      : [],
  );
  const answered = Object.values(graph.nodes).flatMap(({ tools }) =>
    tools.flatMap(({ response_variables: stored }) => Object.keys(stored ?? {})),
  );
  return omit(variables, [...extracted, ...answered]);
}
