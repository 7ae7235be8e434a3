import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, number, openStore, run, scenario, scripted } from "../../../mod.ts";

const desk = flow("desk", { variables: { count: number("How many lamps") } })
  .extract("read", { fills: ["count"], next: ({ to }) => [to("bye")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

/** Documents keep snake_case keys: lines of a transcript, what tools were given and gave back, the variables of a call. */
const DOCUMENTS = new Set(["transcript", "arguments", "result", "variables"]);

function keysOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...(DOCUMENTS.has(key) ? [] : keysOf(inner))]);
}

const agent = () => scripted({ extract: [{ count: 12 }], respond: ["Goodbye"] });
const sells = scenario("sells", desk).says("Twelve lamps, please").extracts({ count: 12 });

test("reports and stored runs have camelCase keys, and --json prints them as they are", async () => {
  await using store = await openStore(":memory:");
  const report = await run(desk, [sells], { models: { agent: agent() }, store });
  const stored = await store.showRun(report.id);
  const listed = [await store.listRuns(), await store.listResults({ runId: report.id })];
  for (const value of [report, { ...stored, graph: null }, listed])
    assert.deepEqual(
      keysOf(value).filter((key) => key.includes("_")),
      [],
    );
  assert.deepEqual(stored.results, report.results);
});

test("a variable that the flow declares as a number comes back as a number", async () => {
  const report = await run(desk, [sells], { models: { agent: agent() }, store: false });
  assert.deepEqual(report.results[0]?.variables, { count: 12 });
});
