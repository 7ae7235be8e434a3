import assert from "node:assert/strict";
import { test } from "node:test";
import { emit } from "../../../../platforms/mod.ts";
import { always, graphOf, told } from "../../vapi/compile/graphs.ts";

const lossesOf = (nodes: Parameters<typeof graphOf>[0]) =>
  emit(graphOf(nodes), "retell-llm").losses.map(({ code, path }) => [code, path.join(".")].join(" "));

test("an end that only a transfer at the start leads to is a loss", () => {
  const losses = lossesOf({
    dial: { node_type: "transfer", transitions: [told("bye", "Over")] },
    bye: { node_type: "end" },
  });
  assert.ok(losses.includes("unreachable-node nodes.bye"), losses.join("\n"));
});

test("settings of a node that its state does not have are a loss", () => {
  const knowledge = { metadata: { retell: { knowledge_base_ids: ["kb_1"] } } };
  const typing = { metadata: { retell: { enable_typing_sound: true } } };
  const losses = lossesOf({
    hello: { ...knowledge, transitions: [told("work", "Caller agrees")] },
    work: { node_type: "function", ...typing, transitions: [always("hello")] },
  });
  for (const id of ["hello", "work"]) assert.ok(losses.includes(`node-settings nodes.${id}.metadata.retell`), id);
});

test("an equation without clauses never holds, and its edge says so", () => {
  const closed = { target_node_id: "b", condition: { type: "equation", value: "", equations: [] } };
  const { config } = emit(graphOf({ a: { transitions: [closed] }, b: {} }), "retell-llm");
  assert.match(JSON.stringify(config), /"description":"Never"/);
});
