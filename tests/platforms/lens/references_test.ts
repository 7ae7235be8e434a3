import assert from "node:assert/strict";
import { test } from "node:test";
import { followRenamed, renamedItems } from "../../../platforms/lens/references.ts";

const SHAPE = { keys: ["id", "agent.name"], references: { to: "id", agentName: "agent.name" } };
const step = (id: string, more: object = {}) => ({ id, type: "talk", says: `This is ${id[0]}.`, ...more });
const agent = (name: string) => ({ agent: { name, model: "gpt", prompt: "Be kind." } });

function followed(base: unknown, mine: unknown, document: unknown, shape = SHAPE): unknown {
  return followRenamed(document, renamedItems(base, mine, shape));
}

test("references to a renamed item follow, at any depth and in parts that only the platform knows", () => {
  const base = { steps: [step("a"), step("b")] };
  const mine = { steps: [step("a"), { ...step("b"), id: "b2" }] };
  const document = { start: { to: "b" }, examples: [[{ to: "b", note: "b" }], { to: "a" }] };
  assert.deepEqual(followed(base, mine, document), {
    start: { to: "b2" },
    examples: [[{ to: "b2", note: "b" }], { to: "a" }],
  });
});

test("an item of a list inside of a renamed item is renamed too", () => {
  const base = [step("a", { steps: [step("x")] })];
  const mine = [{ ...step("a"), id: "a2", steps: [{ ...step("x"), id: "x2" }] }];
  assert.deepEqual(followed(base, mine, [{ to: "a" }, { to: "x" }]), [{ to: "a2" }, { to: "x2" }]);
});

test("a reference names items by its own key: a tool of the same name changes nothing", () => {
  const base = { agents: [agent("Billing")], steps: [step("Billing")] };
  const mine = { agents: [agent("Accounts")], steps: [step("Billing")] };
  const document = { to: "Billing", agentName: "Billing" };
  assert.deepEqual(followed(base, mine, document), { to: "Billing", agentName: "Accounts" });
  assert.deepEqual(followed({ steps: [step("Billing")] }, { steps: [{ ...step("Billing"), id: "c" }] }, document), {
    to: "c",
    agentName: "Billing",
  });
});

test("a name that another item has now is left alone", () => {
  const base = { one: [step("a"), step("b")], other: [] };
  const swapped = { one: [{ ...step("a"), id: "a2" }, step("b")], other: [step("a", { type: "end" })] };
  assert.deepEqual(followed(base, swapped, { to: "a" }), { to: "a" });
});

test("new and deleted items rename nothing", () => {
  const base = { steps: [step("a"), step("b")] };
  const document = { to: "b" };
  assert.equal(followed(base, { steps: [step("a")] }, document), document);
  assert.equal(followed(base, { steps: [step("a"), step("b"), step("c")] }, document), document);
  assert.equal(followed(base, { steps: [step("a"), { id: "z", kind: "end" }] }, document), document);
});

test("values that are no references are left alone: other keys, lists, numbers, keys that every object inherits", () => {
  const base = { steps: [step("b")] };
  const mine = { steps: [{ ...step("b"), id: "b2" }] };
  const document = JSON.parse('{"to": ["b"], "note": "b", "constructor": "b", "__proto__": "b", "n": 1, "none": null}');
  assert.equal(JSON.stringify(followed(base, mine, document)), JSON.stringify(document));
});

test("a format without references changes nothing", () => {
  const base = { steps: [step("b")] };
  const mine = { steps: [{ ...step("b"), id: "b2" }] };
  const document = { to: "b" };
  assert.equal(followRenamed(document, renamedItems(base, mine, { keys: ["id"] })), document);
});

test("an item that several keys can name goes by the first that holds a text", () => {
  const shape = { keys: ["id"], references: { agentName: ["own.name", "agent.name"] } };
  const named = (id: string, name: string, own: object) => ({ id, ...agent(name), own });
  const base = [named("1", "Desk", {}), named("2", "Desk", { name: "Night" }), named("3", "x", { name: "Front" })];
  const mine = [named("1", "Day", {}), named("2", "Desk", { name: "Late" }), named("3", "x", { name: "Desk" })];
  const document = [{ agentName: "Desk" }, { agentName: "Night" }, { agentName: "Front" }, { agentName: "x" }];
  const followed = followRenamed(document, renamedItems(base, mine, shape));
  assert.deepEqual(followed, [{ agentName: "Desk" }, { agentName: "Late" }, { agentName: "Desk" }, { agentName: "x" }]);
});
