import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { offline } from "../../../src/call/models/mod.ts";
import { recordingOf } from "../../../src/run/replay/recording.ts";
import { createStrictCaller } from "../../../src/run/replay/strict_caller.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";

/** A stored call whose caller says two lines, and hangs up with the last one. */
async function recorded() {
  await using store = await openStore(":memory:");
  const scenario = { name: "two lines", says: ["Hello.", "I have a question."], excludes: ["never said"] };
  const { id } = await run(helpDesk, [scenario], { models: { agent: offline() }, store });
  const [result] = (await store.showRun(id)).results;
  assert.ok(result);
  return recordingOf(result, helpDesk);
}

test("createStrictCaller() is done after the last recorded words, and not before", async () => {
  const caller = createStrictCaller(await recorded());
  assert.equal(caller.isDone(), false);
  await caller.next([]);
  assert.equal(caller.isDone(), false);
  await caller.next([]);
  assert.equal(caller.isDone(), true);
});
