import assert from "node:assert/strict";
import { test } from "node:test";
import { followRenamed, renamedItems } from "../../../platforms/lens/put_back.ts";

const SHAPE = { keys: ["id", "agent.name"], references: { to: "id", agentName: "agent.name" } };
const step = (id: string, more: object = {}) => ({ id, type: "talk", says: `This is ${id[0]}.`, ...more });
const agent = (name: string) => ({ agent: { name, model: "gpt", prompt: "Be kind." } });

function followed(base: unknown, mine: unknown, document: unknown, shape = SHAPE): unknown {
  return followRenamed(document, renamedItems(base, mine, shape));
}

test("references to a renamed item are updated, at any depth and under unknown keys", () => {
  const base = { steps: [step("a"), step("b")] };
  const mine = { steps: [step("a"), { ...step("b"), id: "b2" }] };
  const document = { start: { to: "b" }, examples: [[{ to: "b", note: "b" }], { to: "a" }] };
  assert.deepEqual(followed(base, mine, document), {
    start: { to: "b2" },
    examples: [[{ to: "b2", note: "b" }], { to: "a" }],
  });
});

test("references to an item inside a renamed item are updated", () => {
  const base = [step("a", { steps: [step("x")] })];
  const mine = [{ ...step("a"), id: "a2", steps: [{ ...step("x"), id: "x2" }] }];
  assert.deepEqual(followed(base, mine, [{ to: "a" }, { to: "x" }]), [{ to: "a2" }, { to: "x2" }]);
});

test("a reference matches items by its own key, not a tool with the same name", () => {
  const base = { agents: [agent("Billing")], steps: [step("Billing")] };
  const mine = { agents: [agent("Accounts")], steps: [step("Billing")] };
  const document = { to: "Billing", agentName: "Billing" };
  assert.deepEqual(followed(base, mine, document), { to: "Billing", agentName: "Accounts" });
  assert.deepEqual(followed({ steps: [step("Billing")] }, { steps: [{ ...step("Billing"), id: "c" }] }, document), {
    to: "c",
    agentName: "Billing",
  });
});

test("references to a name that another item now has are kept", () => {
  const base = { one: [step("a"), step("b")], other: [] };
  const swapped = { one: [{ ...step("a"), id: "a2" }, step("b")], other: [step("a", { type: "end" })] };
  assert.deepEqual(followed(base, swapped, { to: "a" }), { to: "a" });
});

test("new and deleted items do not count as renamed", () => {
  const base = { steps: [step("a"), step("b")] };
  const document = { to: "b" };
  assert.equal(followed(base, { steps: [step("a")] }, document), document);
  assert.equal(followed(base, { steps: [step("a"), step("b"), step("c")] }, document), document);
  assert.equal(followed(base, { steps: [step("a"), { id: "z", kind: "end" }] }, document), document);
});

test("other values are kept: unrelated keys, lists, numbers, inherited keys", () => {
  const base = { steps: [step("b")] };
  const mine = { steps: [{ ...step("b"), id: "b2" }] };
  const document = JSON.parse('{"to": ["b"], "note": "b", "constructor": "b", "__proto__": "b", "n": 1, "none": null}');
  assert.equal(JSON.stringify(followed(base, mine, document)), JSON.stringify(document));
});

test("without references nothing is updated", () => {
  const base = { steps: [step("b")] };
  const mine = { steps: [{ ...step("b"), id: "b2" }] };
  const document = { to: "b" };
  assert.equal(followRenamed(document, renamedItems(base, mine, { keys: ["id"] })), document);
});

test("an item with several name keys is named by the first with a text", () => {
  const shape = { keys: ["id"], references: { agentName: ["own.name", "agent.name"] } };
  const named = (id: string, name: string, own: object) => ({ id, ...agent(name), own });
  const base = [named("1", "Desk", {}), named("2", "Desk", { name: "Night" }), named("3", "x", { name: "Front" })];
  const mine = [named("1", "Day", {}), named("2", "Desk", { name: "Late" }), named("3", "x", { name: "Desk" })];
  const document = [{ agentName: "Desk" }, { agentName: "Night" }, { agentName: "Front" }, { agentName: "x" }];
  const followed = followRenamed(document, renamedItems(base, mine, shape));
  assert.deepEqual(followed, [{ agentName: "Desk" }, { agentName: "Late" }, { agentName: "Desk" }, { agentName: "x" }]);
});
