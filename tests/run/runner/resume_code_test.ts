import assert from "node:assert/strict";
import { test } from "node:test";
import { offline, openStore, policy, type RunOptions, run, scenario } from "../../../mod.ts";
import { CHAT } from "./_fixtures.ts";

const checked = (accepts: () => boolean) => scenario("chat").says("Hi").check("has a say", accepts);

test("a run whose check was changed is not resumed, so that its earlier pass does not stay", async () => {
  await using store = await openStore(":memory:");
  const { id } = await run(CHAT, [checked(() => true)], { store, share: { codeVersion: "one" } });
  const other = run(CHAT, [checked(() => false)], { store, share: { resume: id, codeVersion: "two" } });
  await assert.rejects(other, { code: "different-plan", message: /other code/ });
  const same = await run(CHAT, [checked(() => true)], { store, share: { resume: id, codeVersion: "one" } });
  assert.deepEqual([same.id, same.counts.pass], [id, 1]);
});

test("a run with functions of an unknown version is not resumed, and the first of them is named", async () => {
  await using store = await openStore(":memory:");
  const { id } = await run(CHAT, [checked(() => true)], { store });
  await assert.rejects(run(CHAT, [checked(() => true)], { store, share: { resume: id } }), {
    code: "different-plan",
    path: ["share", "codeVersion"],
    message: /the check "has a say" of "chat" may have changed/,
  });
});

test("checks, tools and callers of one's own, and policies, are resumed only if they are shown to be the same", async () => {
  await using store = await openStore(":memory:");
  const scenarios = [{ name: "chat", says: ["Hi"], excludes: ["never said"] }];
  const caller = () => ({ next: async () => ({ hangUp: "caller_ended" as const }) });
  const functions: readonly (readonly [what: RegExp, options: Partial<RunOptions>])[] = [
    [/the tool "find_order"/, { tools: { find_order: () => "none" } }],
    [/createCaller/, { createCaller: caller }],
  ];
  for (const [what, options] of functions) {
    const { id } = await run(CHAT, scenarios, { store, ...options });
    const again = (share: RunOptions["share"]) => run(CHAT, scenarios, { store, ...options, share });
    await assert.rejects(again({ resume: id }), { code: "different-plan", message: what });
    await assert.rejects(again({ resume: id, codeVersion: "two" }), { code: "different-plan", message: /other code/ });
  }
  const policies = [policy("greets", ({ never }) => never("chat"))];
  const { id } = await run(CHAT, scenarios, { store });
  const judged = run(CHAT, scenarios, { store, judging: { policies }, share: { resume: id } });
  await assert.rejects(judged, { code: "different-plan", message: /other policies/ });
});

test("a model is the same for a resumed run whether it was given by name, as an object, or not at all", async () => {
  await using store = await openStore(":memory:");
  const scenarios = [{ name: "chat", says: ["Hi"], excludes: ["never said"] }];
  const { id } = await run(CHAT, scenarios, { store, models: { agent: "offline" } });
  for (const models of [{ agent: offline() }, undefined, { agent: "offline", judge: offline() }])
    assert.equal((await run(CHAT, scenarios, { store, share: { resume: id }, ...(models ? { models } : {}) })).id, id);
  const { id: other } = await run(CHAT, scenarios, { store });
  assert.equal(
    (await run(CHAT, scenarios, { store, share: { resume: other }, models: { agent: "offline" } })).id,
    other,
  );
});
