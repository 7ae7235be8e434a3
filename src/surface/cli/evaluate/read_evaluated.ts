import { existsSync } from "node:fs";
import { inFile, parseJsonFile, readTextFile } from "../../../base/files/mod.ts";
import { isRecord, isRecords, parsedJson } from "../../../base/values/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Call } from "../../../document/transcript/mod.ts";
import { CALL_FORMATS, isRecordedCall, readCalls } from "../../../run/calls/mod.ts";
import { readTimeline, type Timeline } from "../../../run/evaluation/mod.ts";
import { type Arguments, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { openRuns } from "../runs/mod.ts";

/** Calls to evaluate, and the agent that is stored with them. */
export interface ReadEvaluated {
  readonly calls: readonly Call[];
  readonly graph?: AgentGraph;
}

/**
 * Reads the calls that a command line names: files, standard input, or a stored run.
 *
 * @throws {UsageError} `usage`, `unreadable-file`, `invalid-json`.
 * @throws {StoreError} `unknown-run`.
 */
export async function readEvaluated(args: Arguments, terminal: Terminal): Promise<ReadEvaluated> {
  const places = args.rest();
  const format = args.text("format");
  const known = [...CALL_FORMATS, "timeline"] as const;
  if (format !== undefined && !known.some((each) => each === format))
    throw usage(`--format is "${format}"`, `Pass one of ${known.join(", ")}`);
  const [id] = places;
  if (places.length === 1 && id !== undefined && id !== "-" && !existsSync(id)) {
    await using store = await openRuns(args, terminal);
    const { results, graph } = await store.showRun(id, { signal: terminal.signal });
    const isImportedAlone = Object.keys(graph.nodes).length === 0 || graph.source_type === "unknown";
    return { calls: results, ...(isImportedAlone ? {} : { graph }) };
  }
  const calls: Call[] = [];
  for (const place of places) {
    const text = place === "-" ? await terminal.input() : await readTextFile(place);
    const name = place === "-" ? "stdin" : place;
    if (format === "timeline" || (format === undefined && isTimeline(text))) {
      try {
        calls.push(readTimeline(parseJsonFile(name, text) as Timeline)); // readTimeline() checks it
      } catch (error) {
        throw inFile(error, name);
      }
      continue;
    }
    const chosen = CALL_FORMATS.find((each) => each === format);
    for await (const call of readCalls(text, { name, ...(chosen ? { format: chosen } : {}) })) {
      if (isRecordedCall(call)) calls.push(call);
      else if (call.problem === "damaged")
        throw usage(`record ${call.position} of "${name}": ${call.reason}`, "Repair it, or leave it out");
    }
  }
  return { calls };
}

/** Whether a text is a timeline: an object with events that have a type. */
function isTimeline(text: string): boolean {
  const value = parsedJson(text);
  return isRecord(value) && isRecords(value.events, (event) => "type" in event);
}
