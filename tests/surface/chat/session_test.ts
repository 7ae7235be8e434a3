import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { whyLines } from "../../../src/surface/chat/commands.ts";
import { ANSWERS, pick, SHOP, startSession } from "./_shop.ts";

test("a chat tells transitions, variables and tools while they happen, in order", async () => {
  const { session, told } = startSession(ANSWERS);
  await session.open();
  await session.say("Where is order A-1?");
  assert.deepEqual(told, [
    "assistant Hello, this is Lumen.",
    "user Where is order A-1?",
    "tool welcome -> read: Caller names an order; reasoning: A-1 is a number.",
    'variables [{"name":"order","value":"A-1"}]',
    'tool extracted {"order":"A-1"}',
    "tool read -> look: always",
    'tool look_up({"order":"A-1"}) succeeded: {"status":"shipped"}',
    'variables [{"name":"status","value":"shipped"}]',
    "tool look -> tell: the tool succeeded",
    "token It is shipped.",
    "assistant It is shipped.",
  ]);
});

test("undo takes back one turn after the other, with variables, path and end", async () => {
  const { session } = startSession({
    ...ANSWERS,
    transition: [...ANSWERS.transition, pick("bye")],
    respond: [...ANSWERS.respond, "Bye."],
  });
  await session.open();
  await session.say("Where is order A-1?");
  const told = session.state;
  await session.say("That is all.");
  assert.equal(session.state.endReason, "agent_ended");
  assert.equal(session.undo()?.what, "That is all.");
  assert.deepEqual(session.state, told);
  await session.say("Thanks.");
  assert.equal(session.state.endReason, "agent_ended");
  assert.equal(session.state.transcript.at(-1)?.content, "Bye.");
  session.undo();
  assert.equal(session.undo()?.what, "Where is order A-1?");
  assert.deepEqual(session.state.variables, {});
  assert.deepEqual(session.state.nodesVisited, ["welcome"]);
  assert.equal(session.undo(), undefined);
});

test("goto and set change where the call is and what it knows, and can be undone", async () => {
  const { session, model } = startSession({ transition: [pick("none")], respond: ["Well."] });
  await session.open();
  session.set("order", "B-2");
  session.set("status", "lost");
  session.goTo("tell");
  await session.say("And now?");
  assert.equal(model.calls.at(-1)?.input.state_instructions, "Order B-2 is lost.");
  assert.deepEqual(session.state.nodesVisited, ["welcome", "tell"]);
  session.undo();
  assert.equal(session.undo()?.kind, "goto");
  assert.equal(session.state.nodeId, "welcome");
  assert.equal(session.undo()?.what, "status");
  assert.deepEqual(session.state.variables, { order: "B-2" });
  assert.throws(() => session.goTo("tel"), { code: "unknown-target", hint: 'Did you mean "tell"?' });
});

test("goto into a global node remembers where the caller was, and leaving it forgets that", async () => {
  const { session } = startSession({});
  await session.open();
  session.goTo("manager");
  assert.deepEqual(session.state.originators, ["welcome"]);
  session.goTo("tell");
  assert.deepEqual(session.state.originators, []);
});

test("a turn whose model fails changes nothing, and the chat goes on", async () => {
  const { session } = startSession({ ...ANSWERS, transition: [new Error("down"), ...ANSWERS.transition] });
  await session.open();
  const before = session.state;
  await assert.rejects(session.say("Where is order A-1?"));
  assert.deepEqual(session.state, before);
  assert.equal(session.steps.length, 0);
  await session.say("Where is order A-1?");
  assert.equal(session.state.nodeId, "tell");
});

test("an aborted turn changes nothing, and the chat goes on", async () => {
  let started = () => {};
  const isStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const tools = {
    look_up: () => {
      started();
      return new Promise(() => {}); // a tool that does not watch its signal
    },
  };
  const answers = { ...ANSWERS, transition: [pick("read"), pick("none")], respond: ["Well."] };
  const { session } = startSession(answers, { mocks: [], tools });
  await session.open();
  const before = session.state;
  const said = session.say("Where is order A-1?");
  await isStarted;
  session.abort();
  assert.equal(await said, "aborted");
  assert.deepEqual(session.state, before);
  await session.say("Never mind.");
  assert.equal(session.state.nodeId, "welcome");
});

test("a call that could not be opened is opened with the caller's next words", async () => {
  const answers = { respond: [new Error("down"), "Hello.", "Sorry, what?"], transition: [pick("none")] };
  const { session } = startSession(answers, {}, { ...SHOP, source_metadata: {} });
  await assert.rejects(session.open());
  await session.say("Hello?");
  assert.deepEqual(
    session.state.transcript.filter(({ role }) => role !== "tool").map(({ content }) => content),
    ["Hello.", "Hello?", "Sorry, what?"],
  );
});

test("why lists every transition with its condition, values and outcome", async () => {
  const { session } = startSession({
    ...ANSWERS,
    transition: [...ANSWERS.transition.slice(0, 1), pick("none")],
    respond: ["It is shipped.", "Yes?", "Sorry."],
  });
  await session.open();
  const line = ({ text, mark }: { readonly text: string; readonly mark?: string }) => `${mark ?? ""} ${text}`.trim();
  assert.deepEqual(whyLines(session.decisions, "welcome").map(line), [
    "there was nothing to decide: the call stayed at welcome, and no transition was offered",
  ]);
  await session.say("Where is order A-1?");
  assert.deepEqual(whyLines(session.decisions, session.state.nodeId).map(line), [
    "welcome → read: Caller names an order",
    "✓ to read (LLM): Caller names an order — taken",
    "· to manager (global): Caller asks for a manager — offered, not picked",
    '= model: the objectives are complete; it picks "read"',
    "= reasoning: A-1 is a number.",
    "read → look: always",
    "✓ to look (always): no other condition is met — taken",
    "= no model was asked",
    "look → tell: the tool succeeded",
    "✓ to tell (tool): the tool was called — taken",
    "= no model was asked",
  ]);
  await session.say("Hm.");
  assert.deepEqual(whyLines(session.decisions, session.state.nodeId).map(line), [
    'stayed at tell: the model picks none of "bye", "manager"',
    '· to late (equation): status == "late" (status = "shipped") — false',
    "· to bye (LLM): Caller says goodbye — offered, not picked",
    "· to manager (global): Caller asks for a manager — offered, not picked",
    '= model: the objectives are complete; it picks "none"',
  ]);
  session.set("status", "late");
  await session.say("Hm.");
  assert.deepEqual(whyLines(session.decisions, session.state.nodeId).map(line), [
    'tell → late: status == "late" (status = "late")',
    '✓ to late (equation): status == "late" (status = "late") — taken',
    "· to bye (LLM): Caller says goodbye — not offered: another transition came first",
    "= no model was asked",
  ]);
});

test("a newer graph is used from the next turn on if it has the current node, else after restart or goto", async () => {
  const { session, model } = startSession({
    transition: [pick("none"), pick("none")],
    respond: ["One.", "Two.", "Three."],
  });
  await session.open();
  const nodes = { ...SHOP.nodes, welcome: { ...SHOP.nodes.welcome, state_prompt: "Newer." } };
  assert.equal(session.replaceGraph(parseGraph({ ...SHOP, nodes })), true);
  await session.say("Hello?");
  assert.equal(model.calls.at(-1)?.input.state_instructions, "Newer.");
  const other = { entry_node_id: "desk", nodes: { desk: { state_prompt: "Desk." } } };
  assert.equal(session.replaceGraph(parseGraph(other)), false);
  await session.say("Hello?");
  assert.equal(model.calls.at(-1)?.input.state_instructions, "Newer.");
  session.goTo("desk");
  await session.say("Hello?");
  assert.equal(model.calls.at(-1)?.input.state_instructions, "Desk.");
});
