import assert from "node:assert/strict";
import { test } from "node:test";
import { createStudioClient } from "../../../../src/surface/studio/api/client.ts";
import { createNewGroups } from "../../../../src/surface/studio/data/mod.ts";
import { newResult, newRun } from "../../../run/store/_fixtures.ts";
import { fits } from "../_fits.ts";
import { type TestStudio, withStudio } from "../_studio.ts";

/** Stores a run of calls in which callers say a line each; returns the ids of the calls. */
async function storedLines(
  { data }: Pick<TestStudio, "data">,
  kind: "imported" | "simulated",
  lines: readonly string[],
  agent = "farewell",
): Promise<readonly string[]> {
  const { id: run } = await data.store.startRun(newRun({ kind, agent }));
  const calls: string[] = [];
  for (const [trial, content] of lines.entries()) {
    const transcript = [{ role: "user" as const, content, node_id: "bye", timestamp: "", metadata: {} }];
    const status = kind === "imported" ? "imported" : "pass";
    const result = newResult({ transcript, status, trial, attempt: 1, verdicts: [], checks: [] });
    calls.push((await data.store.addResult(run, result)).id);
  }
  await data.store.finishRun(run);
  return calls;
}

test("a call of callers who want what no scenario tries is worth a look, once for all of them", () =>
  withStudio(async (tested) => {
    const studio = createStudioClient({ url: tested.address });
    const queued = async () =>
      (await studio.queue({ reason: "new-group" })).items.map(({ call, reasons }) => [
        call.id,
        reasons.find(({ kind }) => kind === "new-group")?.words,
      ]);
    await storedLines(tested, "simulated", ["I want to cancel my order."]);
    const calls = await storedLines(tested, "imported", [
      "Please cancel my order",
      "My lamp is broken and flickers",
      "The lamp flickers, it is broken",
    ]);
    fits("queue", await studio.queue({}));
    const [[first = "", words = ""] = [], ...others] = await queued();
    assert.deepEqual(others, []);
    assert.ok(calls.slice(1).includes(first), first);
    assert.match(words, /^No scenario tries what 2 callers want: .*flickers/);
    // other agents have scenarios of their own
    const [other = ""] = await storedLines(tested, "imported", ["Please cancel my order"], "other");
    assert.deepEqual(await queued(), [
      [other, "No scenario tries what this caller wants: cancel, order"],
      [first, words],
    ]);
    // somebody has looked at another call of the group
    const rest = calls.slice(1).find((call) => call !== first) ?? "";
    await studio.saveLabel({ call: rest, verdict: "good" });
    assert.deepEqual(
      (await queued()).map(([id]) => id),
      [other],
    );
    // a scenario that says the same covers it
    await storedLines(tested, "simulated", ["Please cancel an order"], "other");
    assert.deepEqual(await queued(), []);
  }));

test("groups are found again only when there are other finished runs", () =>
  withStudio(async (tested) => {
    const groups = createNewGroups(tested.data);
    assert.deepEqual(await groups(), []);
    await storedLines(tested, "imported", ["My lamp is broken"]);
    const found = await groups();
    assert.equal(found.length, 1);
    assert.equal(await groups(), found);
    await storedLines(tested, "imported", ["Where is my parcel?"]);
    assert.equal((await groups()).length, 2);
  }));
