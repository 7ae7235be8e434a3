import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { START, type StateGraph, type StateWay } from "./_brute.ts";
import { type Script, stopsOf } from "./_engine_call.ts";
import type { Choices } from "./_reference_states.ts";

/**
 * Explores every state of every call in the engine: the model's decisions, extractions, outcomes of tools and
 * transfers are all tried in each new state, until there is none.
 *
 * @param starts The start variables of calls.
 * @returns `undefined` if that takes more calls than are allowed.
 */
export async function engineStates(
  graph: AgentGraph,
  starts: readonly Script["given"][],
  choices: Choices,
  mostRuns: number,
): Promise<StateGraph | undefined> {
  const ways = new Map<string, StateWay[]>();
  const waiting = new Set<string>();
  const seen = new Set<string>();
  const isNew = (key: string) => !seen.has(key) && seen.add(key) !== undefined;
  /** `before`: the number of events up to the decision that the script ends with. */
  let open = starts.map((given) => ({ script: scriptOf(given), from: START, before: 0 }));
  let runs = 0;
  while (open.length > 0) {
    const next: typeof open = [];
    for (const item of open) {
      if (runs++ >= mostRuns) return undefined;
      let { from, before } = item;
      for (const { key, isFirst, options, taken, events, next: following, restarts, transfer } of await stopsOf(
        graph,
        item.script,
        choices,
        isNew,
      )) {
        const list = ways.get(from) ?? [];
        ways.set(from, list);
        list.push({ to: key, events: events.slice(before) });
        if (transfer !== undefined) {
          const fails = { ...item.script.fails, [transfer]: (item.script.fails[transfer] ?? 0) + 1 };
          next.push({ script: { ...item.script, taken, fails }, from, before });
        }
        if (key === undefined || !isFirst) continue;
        from = key;
        before = events.length;
        if (following) {
          waiting.add(key);
          next.push({ script: following, from, before: restarts ? 1 : before });
        }
        for (let option = 1; option < options; option++)
          next.push({ script: { ...item.script, taken: [...taken, option] }, from, before });
      }
    }
    open = next;
  }
  return { ways, waiting };
}

function scriptOf(given: Script["given"]): Script {
  return { given, taken: [], fails: {} };
}
