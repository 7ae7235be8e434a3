import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { holdsAll, readIntent, removeIntent, writeIntent } from "../../src/deploy/state/intent.ts";
import { statePath } from "../../src/deploy/state/lock_file.ts";

const PLACE = { platform: "vapi", environment: "staging", flow: "shop" };
const INTENT = { address: "tool/refund", kind: "tool", known: ["tool-1"], body: { name: "refund" } };

test("an intent is read as it was written, and only its owner may read the file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-test-deploy-"));
  try {
    await writeIntent(folder, PLACE, INTENT);
    const read = await readIntent(folder, PLACE);
    assert.deepEqual({ address: read?.address, kind: read?.kind, known: read?.known, body: read?.body }, INTENT);
    const { mode } = await stat(statePath(folder, PLACE, "intent.json"));
    if (platform() !== "win32") assert.equal((mode & 0o777).toString(8), "600");
    await removeIntent(folder, PLACE);
    assert.equal(await readIntent(folder, PLACE), undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("holdsAll(): a resource holds what was sent if the server only added keys, or left out what is empty", () => {
  const sent = { name: "refund", tags: ["a", "b"], server: { url: "https://a.test", headers: {} }, none: null };
  for (const body of [
    sent,
    { ...sent, id: "t-1", createdAt: 1 },
    { name: "refund", tags: ["a", "b"], server: { url: "https://a.test", timeout: 20 } },
  ])
    assert.equal(holdsAll(body, sent), true, JSON.stringify(body));
});

test("holdsAll(): another value, another order and another number of items are another resource", () => {
  for (const [body, sent] of [
    [{ name: "repair" }, { name: "refund" }],
    [{}, { name: "refund" }],
    [{ tags: ["b", "a"] }, { tags: ["a", "b"] }],
    [{ tags: ["a"] }, { tags: ["a", "b"] }],
    [{ tags: ["a", "b", "c"] }, { tags: ["a", "b"] }],
    [{ tags: ["a"] }, { tags: [] }],
    [{ tags: { 0: "a" } }, { tags: ["a"] }],
    [["a"], { 0: "a" }],
    [{ limit: 2 }, { limit: 3 }],
    [{ limit: "2" }, { limit: 2 }],
  ] as const)
    assert.equal(holdsAll(body, sent), false, JSON.stringify([body, sent]));
});

test("holdsAll(): a secret, which the server does not return, is held, and so is nothing else that is missing", () => {
  assert.equal(holdsAll({ name: "refund" }, { name: "refund", key: "{{hidden:0a1b2c}}" }), true);
  assert.equal(holdsAll({ name: "refund" }, { name: "refund", key: "Bearer {{hidden:0a1b2c}}" }), false);
  assert.equal(holdsAll({ name: "refund" }, { name: "refund", limit: 0 }), false);
});
