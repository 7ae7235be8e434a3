import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { callweave, folder } from "../_terminal.ts";

const talk = (...targets: readonly string[]) => ({
  state_prompt: "Talk.",
  transitions: targets.map((target) => ({ target_node_id: target, condition: { type: "llm_prompt", value: target } })),
});
const AGENT = {
  entry_node_id: "hello",
  nodes: {
    hello: talk("ask", "Pay bill"),
    ask: talk("ask more"),
    "ask more": talk("ask most"),
    "ask most": talk("Pay bill"),
    "Pay bill": talk("pay more"),
    "pay more": talk("pay most"),
    "pay most": talk("hello"),
  },
};

test("decompose writes a file for each part and a manifest, and compose puts them together", async () => {
  const path = folder({ "agent.json": AGENT });
  const out = join(path, "parts");
  const split = await callweave(["decompose", join(path, "agent.json"), "--parts", "2", "--out", out]);
  assert.equal(split.code, 0, split.err);
  assert.match(split.out, /^hello: 4 nodes; hands over to Pay bill\nPay bill: 3 nodes; hands over to hello\n$/);
  assert.ok(existsSync(join(out, "pay-bill.callweave.json")));
  const whole = await callweave(["compose", out, "--out", join(path, "whole.callweave.json")]);
  assert.equal(whole.code, 0, whole.err);
  const composed = parseGraph(JSON.parse(readFileSync(join(path, "whole.callweave.json"), "utf8")));
  assert.equal(composed.entry_node_id, "hello");
  assert.deepEqual(composed.nodes, parseGraph(AGENT).nodes);
});

test("decompose overwrites no file, and compose none of the parts", async () => {
  const path = folder({ "agent.json": AGENT, "manifest.json": "{}" });
  const taken = await callweave(["decompose", join(path, "agent.json"), "--out", path]);
  assert.equal(taken.code, 2);
  assert.match(taken.err, /manifest\.json" exists/);
  assert.equal(existsSync(join(path, "hello.callweave.json")), false);
  const out = join(path, "parts");
  await callweave(["decompose", join(path, "agent.json"), "--parts", "2", "--out", out]);
  const over = await callweave(["compose", out, "--out", join(out, "hello.callweave.json")]);
  assert.equal(over.code, 2);
  assert.match(over.err, /would overwrite a part/);
});

test("compose reports a file that is no manifest", async () => {
  const { code, err } = await callweave(["compose", join(folder({ "manifest.json": [] }), "manifest.json")]);
  assert.equal(code, 2);
  assert.match(err, /it is not a decomposition/);
});
