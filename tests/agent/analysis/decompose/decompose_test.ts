import assert from "node:assert/strict";
import { test } from "node:test";
import { compose, decompose } from "../../../../src/agent/analysis/mod.ts";
import { check } from "../../../../src/agent/check/mod.ts";
import { own } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, fingerprint, parseGraph } from "../../../../src/document/graph/mod.ts";
import { sampled } from "../../../fast_check.ts";
import { decisionsOf, runCall } from "../../../platforms/lower/run_call.ts";
import { clusteredCall } from "./clustered_call.ts";
import { relayCall } from "./relay.ts";

const llm = (target_node_id: string, value = `to ${target_node_id}`) => ({
  target_node_id,
  condition: { type: "llm_prompt", value },
});
const talk = (...targets: readonly string[]) => ({
  state_prompt: "Talk.",
  transitions: targets.map((target) => llm(target)),
});

/** Two departments of three nodes behind a reception; both end at one node. */
const OFFICE = parseGraph({
  entry_node_id: "hello",
  source_metadata: { begin_message: "Hello!", general_prompt: "Be kind to {{name}}." },
  snippets: { slow: "Speak slowly.", unused: "Never said." },
  nodes: {
    hello: talk("visit", "bill"),
    visit: talk("day", "bye"),
    day: talk("time", "visit"),
    time: { ...talk("bye", "bill"), state_prompt: "{%slow%} At {{weekday}}?" },
    bill: talk("number"),
    number: { ...talk("sum"), node_type: "extract", variables_to_extract: [{ name: "bill_number" }] },
    sum: { ...talk("bye"), state_prompt: "Bill {{bill_number}}." },
    owner: {
      ...talk("bye"),
      global_node_setting: {
        condition: "Caller asks for the owner",
        go_back_conditions: [{ id: "back", condition: { type: "llm_prompt", value: "Caller goes on" } }],
      },
    },
    bye: { node_type: "end", state_prompt: "Bye." },
  },
});

test("decompose() cuts where parts are entered at one node, and lists the handoffs between them", () => {
  const { manifest, parts } = decompose(OFFICE, { parts: 3 });
  const shared = ["owner", "bye"];
  assert.deepEqual(
    manifest.parts.map(({ name, nodes, shared }) => ({ name, nodes, shared })),
    [
      { name: "hello", nodes: ["hello"], shared },
      { name: "visit", nodes: ["visit", "day", "time"], shared },
      { name: "bill", nodes: ["bill", "number", "sum"], shared },
    ],
  );
  const ways = manifest.handoffs.map(({ from, node_id: id, to }) => `${from}.${id} > ${to}`);
  assert.ok(ways.includes("visit.time > bill"), ways.join());
  const visit = own(parts, "visit");
  assert.equal(visit?.entry_node_id, "visit");
  assert.equal(visit?.nodes.bill?.node_type, "transfer");
  assert.equal(visit?.nodes.bill?.transfer_to, "{{handoff_bill}}");
  assert.deepEqual(visit?.snippets, { slow: "Speak slowly." });
  assert.deepEqual(own(parts, manifest.main)?.snippets, { unused: "Never said." });
  assert.equal(visit?.source_metadata.begin_message, undefined);
  assert.equal(own(parts, manifest.main)?.source_metadata.begin_message, "Hello!");
  assert.deepEqual(manifest.parts.find(({ name }) => name === "bill")?.needs, ["bill_number", "name"]);
  assert.deepEqual(manifest.parts.find(({ name }) => name === "visit")?.needs, ["bill_number", "name", "weekday"]);
});

test("composed again, parts are the same graph, and have the same conversations from part to part", async () => {
  let handed = 0;
  for (let seed = 1; seed <= sampled(20); seed++) {
    const call = clusteredCall(seed, 4);
    const before = await runCall(call.graph, call, call.answers);
    if (before.endReason === "hop_limit") continue; // a part counts its own hops
    const whole = decompose(call.graph, { parts: 2 + (seed % 4) });
    const composed = compose(JSON.parse(JSON.stringify(whole)));
    assert.equal(fingerprint(composed), fingerprint(call.graph), `seed ${seed}`);
    assert.deepEqual(Object.keys(composed.nodes), Object.keys(call.graph.nodes));
    const again = await runCall(composed, call, decisionsOf(before));
    assert.deepEqual([again.visited, again.messages], [before.visited, before.messages], `seed ${seed}`);
    const relayed = await relayCall(whole, call, decisionsOf(before));
    const said = before.messages.filter(({ role }) => role !== "tool");
    const { visited, variables, endReason } = before;
    const course = { visited, said: said.map((each) => `${each.role} at ${each.node_id}: ${each.content}`) };
    assert.deepEqual(relayed, { ...course, variables, endReason }, `seed ${seed}`);
    if (visited.some((id, index) => index > 0 && Object.hasOwn(whole.parts, id))) handed++;
  }
  assert.ok(handed > 0, "no call passes from one part to another");
});

test("each part is entered at its own node only, and check() finds no error in it that the whole lacks", () => {
  for (let seed = 1; seed <= sampled(10); seed++) {
    const { graph } = clusteredCall(seed, 5);
    const { manifest, parts } = decompose(graph, { parts: 5 });
    for (const { from, node_id: id, transition, to } of manifest.handoffs)
      assert.equal(own(own(parts, from)?.nodes ?? {}, id)?.transitions[transition]?.target_node_id, to);
    const errorsOf = (of: AgentGraph) => check(of).filter(({ severity }) => severity === "error");
    const known = new Set(errorsOf(graph).map(({ code }) => code));
    for (const part of Object.values(parts))
      assert.deepEqual(
        errorsOf(part).filter(({ code }) => !known.has(code)),
        [],
        `seed ${seed}`,
      );
  }
});

test("compose() keeps the edits of parts, and reports parts that do not fit", () => {
  const { manifest, parts } = decompose(OFFICE, { parts: 3 });
  const bill = own(parts, "bill") ?? OFFICE;
  const edit = (change: (nodes: AgentGraph["nodes"]) => AgentGraph["nodes"]) => ({
    manifest,
    parts: { ...parts, bill: { ...bill, nodes: change(bill.nodes) } },
  });
  const sum = bill.nodes.sum;
  const bye = bill.nodes.bye;
  assert.ok(sum && bye);
  const edited = compose(edit((nodes) => ({ ...nodes, sum: { ...sum, state_prompt: "Say the sum." } })));
  assert.equal(edited.nodes.sum?.state_prompt, "Say the sum.");
  assert.throws(() => compose(edit((nodes) => ({ ...nodes, bye: { ...bye, state_prompt: "Ciao." } }))), {
    code: "different-copies",
    path: ["nodes", "bye"],
  });
  assert.throws(() => compose(edit((nodes) => ({ ...nodes, day: { ...sum, id: "day" } }))), { code: "duplicate-node" });
  const { bill: _, ...others } = parts;
  assert.throws(() => compose({ manifest, parts: others }), { code: "missing-part", path: ["parts", "bill"] });
  // @ts-expect-error plain JavaScript passes anything
  assert.throws(() => compose({ manifest: {}, parts }), { code: "wrong-type" });
  assert.throws(() => decompose(OFFICE, { parts: 0 }), { code: "invalid-option" });
});

test("an imported agent that is split and composed is emitted as its document", async () => {
  const { emit, importAgent } = await import("../../../../platforms/mod.ts");
  const { text } = emit(OFFICE, "retell");
  const { graph } = importAgent(text);
  const whole = decompose(graph, { parts: 3 });
  assert.ok(Object.values(whole.parts).every((part) => part.source_metadata.original === undefined));
  assert.equal(emit(compose(JSON.parse(JSON.stringify(whole))), "retell").text, text);
});

test("a global node at which calls start is a handoff in the other parts", () => {
  const hello = OFFICE.nodes.hello;
  assert.ok(hello);
  const setting = { condition: "Caller wants to start again", go_back_conditions: [] };
  const graph = { ...OFFICE, nodes: { ...OFFICE.nodes, hello: { ...hello, global_node_setting: setting } } };
  const { manifest, parts } = decompose(graph, { parts: 3 });
  assert.ok(manifest.parts.length > 1);
  for (const { name } of manifest.parts.slice(1)) {
    const node = own(parts, name)?.nodes.hello;
    assert.deepEqual([node?.node_type, node?.global_node_setting], ["transfer", setting]);
  }
  assert.equal(fingerprint(compose({ manifest, parts })), fingerprint(graph));
});
