import { createHash } from "node:crypto";
import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openStore, type Store, type StoredRun } from "../../../src/run/store/mod.ts";
import { type RandomCall, randomCall } from "../../call/engine/random_calls.ts";

/** More than any of these calls asks for. */
const ANSWERS = 300;

/** A model that answers each signature by its input alone, so that equal calls get equal answers. */
export function modelOf(answers: { readonly [signature: string]: (input: JsonObject) => unknown }) {
  return scripted(
    Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, Array(ANSWERS).fill(answer)])),
  );
}

/** A number from 0 to `count` - 1, derived from a value. */
export function drawn(value: unknown, count: number): number {
  return createHash("sha256").update(JSON.stringify(value)).digest().readUInt32BE(0) % Math.max(1, count);
}

function listed(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export const NEVER = "Caller wants what nobody wants";
export const SAME = " (in their own words)";

/**
 * A model whose answers depend on its input: which transition, values and arguments. It chooses a transition by the
 * words of its condition, wherever it is listed, but never {@link NEVER}; words before {@link SAME}
 * are ignored.
 */
export function whimsical() {
  return modelOf({
    transition: (input) => {
      const offers = [{ target: "nowhere", condition: "nowhere" }, ...listed(input.available_transitions)];
      const wishes = offers.map(({ condition }) => {
        const words = String(condition).replace(SAME, "");
        return words === NEVER ? -1 : drawn([input.conversation_history, words], 1_000_000);
      });
      return { objectives_complete: true, transition_to: offers[wishes.indexOf(Math.max(...wishes))]?.target };
    },
    respond: (input) => `Well, ${drawn(input.state_instructions, 1000)}.`,
    extract: (input) =>
      Object.fromEntries(
        listed(input.variables).map(({ name, type }) => {
          const draw = drawn([input, name], 3);
          if (type === "number") return [name, draw === 0 ? null : draw * 9];
          if (type === "boolean") return [name, draw === 1];
          return [name, ["1", "abc", null][draw]];
        }),
      ),
    arguments: (input) => ({ id: ["7", "8"][drawn(input, 2)] }),
  });
}

/** The random call of a seed, run and stored. */
export async function runCall(
  seed: number,
  store: Store,
): Promise<{ readonly random: RandomCall; readonly stored: StoredRun; readonly graph: AgentGraph }> {
  const random = randomCall(seed);
  const graph = parseGraph(random.document);
  const scenario = {
    name: `seed ${seed}`,
    says: random.lines.length > 0 ? random.lines : ["yes"],
    tool_mocks: random.mocks,
    dynamic_variables: random.variables,
    excludes: ["never said"],
  };
  const report = await run(graph, [scenario], { models: { agent: whimsical() }, store });
  return { random, graph, stored: await store.showRun(report.id) };
}

export { openStore };
