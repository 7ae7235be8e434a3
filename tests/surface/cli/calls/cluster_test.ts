import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../../../mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { knownCalls } from "../../../run/calls/cluster/_intents.ts";
import { callweave, folder, GRAPH } from "../_terminal.ts";

/** A database with one run of imported calls. */
async function storedCalls(path: string): Promise<{ readonly db: string; readonly runId: string }> {
  const db = join(path, "results.db");
  await using store = await openStore(db);
  const run = await store.startRun({
    ...{
      kind: "imported",
      agent: "practice",
      graph: parseGraph(GRAPH),
      models: { agent: "none", caller: "none", judge: "none" },
      options: {},
    },
  });
  for (const { call } of knownCalls())
    await store.addResult(run.id, {
      ...{ id: call.id, scenario: call.id, status: "imported", transcript: call.transcript, verdicts: [], checks: [] },
      ...{ nodesVisited: [], toolsCalled: [], variables: {}, turnCount: 1, durationMs: 0 },
      ...{ usage: { calls: 0, inputTokens: 0, outputTokens: 0, modelMs: 0 }, errorMessage: null },
    });
  await store.finishRun(run.id);
  return { db, runId: run.id };
}

test("calls cluster shows what no scenario covers, the most frequent first, and a call for to-scenario", async () => {
  const path = folder({
    "tests.json": [
      { name: "cancels", user_prompt: "You want to cancel your appointment.", ends: "agent_ended" },
      { name: "pays", says: ["I have a question about my invoice."], ends: "agent_ended" },
    ],
  });
  const { db, runId } = await storedCalls(path);
  const args = ["calls", "cluster", runId, "--db", db, "--scenarios", join(path, "tests.json")];
  const { code, out, err } = await callweave(args);
  assert.equal(code, 0, err);
  assert.match(out, /^51 calls in \d+ groups, by words \(similarity 0\.2\)\ncovered by scenarios: 31 % of the calls\n/);
  const [open = "", covered = ""] = out.split("\nCovered\n");
  assert.match(open, /\n {6}8 {3}16 % {2}prescription, refill, renew\n {10}"[^"]+" \(prescription-\d\)\n/);
  assert.match(covered, /scenario "cancels"/);
  assert.match(covered, /scenario "pays"/);
  const id = /next: npx callweave calls to-scenario (\S+)\n$/.exec(out)?.[1] ?? "";
  assert.match(id, /^prescription-\d$/);
  const written = await callweave(["calls", "to-scenario", id, "--db", db]);
  assert.equal(written.code, 0, written.err);
  assert.match(written.out, /prescription/);

  const json = JSON.parse((await callweave([...args, "--json"])).out);
  assert.equal(json.groups[0].representative.id, id);
});

test("calls cluster prints as many groups as --top says, and refuses a run without calls", async () => {
  const path = folder();
  const { db, runId } = await storedCalls(path);
  const { out } = await callweave(["calls", "cluster", runId, "--db", db, "--top", "2"]);
  assert.match(out, /\n {2}and \d+ more groups with \d+ calls; --top shows more\n/);
  assert.equal((await callweave(["calls", "cluster", "01NONE", "--db", db])).code, 2);
  assert.equal((await callweave(["calls", "cluster", runId, "--db", db, "--similarity", "2"])).code, 2);
});
