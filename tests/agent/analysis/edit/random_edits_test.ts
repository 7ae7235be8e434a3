import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, formats } from "../../../../platforms/mod.ts";
import { sharedAgents } from "../../../dsl/eject/_shared.ts";
import { sampled } from "../../../fast_check.ts";
import { exampleGraphs } from "../../../platforms/sdk_literals.ts";
import { faultsOf, randomEdits } from "./edit_law.ts";

const STEPS = 3;
const emitting = formats().filter(({ emits }) => emits);
/** Published agents, if they are available, and the examples. */
const agents = [
  ...(await exampleGraphs()).map((graph) => ({ name: graph.source_metadata.name ?? "", graph, format: undefined })),
  ...sharedAgents(),
];

/** Tries every n-th agent, and fewer on the slower runtimes; `npm run bench -- edits` takes all. */
function sample(every: number) {
  const all = agents.map((agent, index) => ({ ...agent, index })).filter(({ index }) => index % every === 0);
  return all.slice(0, sampled(all.length));
}

test("any sequence of edits is emitted in the agent's own format and read back right; nothing else changes, and check() finds no new error", () => {
  for (const { name, graph, format, index } of sample(4)) {
    const edits = randomEdits(graph, STEPS, index);
    const faults = format && faultsOf({ graph, format, target: format, edits });
    assert.deepEqual(faults ?? [], [], `${name}: ${edits.map(({ what }) => what).join("; ")}`);
  }
});

test("any sequence of edits is emitted in every format that the agent can be emitted in, with only its own changes", () => {
  for (const { name, graph, format, index } of sample(6)) {
    const { name: target } = emitting[index % emitting.length] ?? { name: "graph" };
    const edits = randomEdits(graph, STEPS, index + 1);
    const faults = faultsOf({ graph, format, target, edits });
    assert.deepEqual(faults ?? [], [], `${name} as ${target}: ${edits.map(({ what }) => what).join("; ")}`);
  }
});

test("a text that was extracted is written out in every format without snippets", () => {
  for (const { graph, format } of agents) {
    if (format !== "vapi-workflow") continue;
    const edits = randomEdits(graph, 1, 2); // the third verb: extractSnippet
    if (edits.length === 0) continue;
    const { text, losses } = emit(edits[0]?.graph ?? graph, format);
    assert.ok(!text.includes("{%zq"));
    assert.deepEqual([...new Set(losses.map(({ code }) => code))], ["snippet-inlined"]);
  }
});
