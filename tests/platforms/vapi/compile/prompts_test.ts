import assert from "node:assert/strict";
import { test } from "node:test";
import { clinic } from "../../../../examples/clinic/flow.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emitAssistant, emitSquad } from "../../../../platforms/vapi/compile/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { always, at, graphOf, json, memberOf, nameOf, promptOf, records, told, toolsOf } from "./graphs.ts";

const guideOf = (graph: AgentGraph, member: string) =>
  promptOf(memberOf(json(emitSquad(graph).config), member)).split("# How to go on\n")[1];

test("a squad's prompt lists the steps in the order of the graph's transitions", () => {
  assert.equal(
    guideOf(helpDesk, "welcome"),
    [
      "- Caller gives a reason for the call:",
      "  1. Call extract_find_topic with what the caller has said: topic, order_number.",
      '  2. If topic is "order" and order_number is known:',
      "     1. Call look_up_order.",
      "     2. If look_up_order succeeded: call to_tell_status.",
      "     3. If look_up_order failed: call to_not_found.",
      '  3. Otherwise, if topic is "order": call to_ask_number.',
      '  4. Otherwise, if topic is "return": call to_return_lamp.',
      '  5. Otherwise, if topic is "repair": call to_check_lamp.',
      "  6. Otherwise: call restart_welcome, then start this step again.",
      "- Caller asks for a manager: call to_manager.",
    ].join("\n"),
  );
  assert.equal(
    guideOf(clinic, "cancel"),
    [
      "- Caller gives the name:",
      "  1. Call extract_note with what the caller has said: caller_name, visit_day.",
      "  2. First do this: Thank the caller. Say goodbye.",
      "     Then call endCall.",
      "- Caller has an emergency: call to_emergency.",
    ].join("\n"),
  );
});

test("a squad's prompts name only members, and do not mention nodes or transitions", () => {
  for (const graph of [helpDesk, clinic])
    for (const member of records(json(emitSquad(graph).config), "members")) {
      const prompt = promptOf(member);
      for (const word of ['look_up"', 'find_topic"', "node", "edge", "guard", "on the way to"])
        assert.ok(!prompt.includes(word), `"${word}" in the prompt of "${String(at(member, "assistant").name)}"`);
    }
});

test("the prompt mentions a go-back once, with the member that the caller came from", () => {
  assert.match(
    guideOf(helpDesk, "manager") ?? "",
    /^- Caller is ready to continue: go back to \{\{from_manager\}\}, where the caller came from\. Call the tool that leads there\.$/m,
  );
});

test("the prompt marks static text, so that a model does not treat it as an instruction", () => {
  const prompt = promptOf(memberOf(json(emitSquad(clinic).config), "emergency"));
  assert.match(prompt, /Your first words are exactly these: I am connecting you to the emergency line\./);
});

test("two conditions with the same target and guard share a handoff", () => {
  const names = toolsOf(memberOf(json(emitSquad(helpDesk).config), "ask_number")).map(nameOf);
  assert.deepEqual(
    names.filter((name) => name.startsWith("to_manager")),
    ["to_manager"],
  );
});

test("an assistant's prompt lists instructions for each of its steps", () => {
  const [message] = records(json(emitAssistant(clinic).config), "model", "messages");
  assert.match(
    String(message?.content),
    /## book\nAsk for their full name\..*\n- Caller gives the day:\n {2}1\. Call extract_note .*\n {2}2\. First do this: Thank the caller\. Say goodbye\.\n {5}Then call endCall\./,
  );
});

const asks = (transitions: readonly object[]) =>
  graphOf({
    ask: { transitions: [told("read", "Caller answers")] },
    read: {
      node_type: "extract",
      variables_to_extract: [
        { name: "pain", description: "How bad", type: "number" },
        { name: "name", description: "Name", type: "string" },
      ],
      transitions,
    },
    urgent: {},
    other: {},
  });
const atLeast = (target: string, right: string) => ({
  target_node_id: target,
  condition: { type: "equation", value: "", equations: [{ left: "pain", operator: ">=", right }] },
});
const below = (target: string, right: string) => ({
  target_node_id: target,
  condition: { type: "equation", value: "", equations: [{ left: "pain", operator: "<", right }] },
});

test("an extraction requires a variable only if the call needs it to continue", () => {
  const required = (transitions: readonly object[]) => {
    const [tool] = records(memberOf(json(emitSquad(asks(transitions)).config), "ask"), "assistant", "model", "tools");
    return at(tool, "function", "parameters").required;
  };
  assert.deepEqual(required([atLeast("urgent", "7"), below("other", "7")]), ["pain"]);
  assert.deepEqual(required([atLeast("urgent", "7"), always("other")]), []);
  const tools = records(json(emitSquad(clinic).config), "members").flatMap((member) => toolsOf(member));
  const extracts = tools.filter((tool) => nameOf(tool).startsWith("extract_"));
  assert.ok(extracts.length > 0);
  for (const tool of extracts) assert.deepEqual(at(tool, "function", "parameters").required, []);
});

test("a guard that compares an extracted number is short", () => {
  const member = memberOf(json(emitSquad(asks([atLeast("urgent", "7"), always("other")])).config), "ask");
  const liquid = toolsOf(member).flatMap((tool) =>
    records(tool, "rejectionPlan", "conditions").map((each) => each.liquid),
  );
  assert.deepEqual(liquid, [
    '{% assign _cw_n1 = pain | times: 1 %}{% if did_read != "true" or _cw_n1 < 7 %}true{% else %}false{% endif %}',
    '{% assign _cw_n1 = pain | times: 1 %}{% if did_read == "true" and _cw_n1 < 7 %}false{% else %}true{% endif %}',
  ]);
});

test("guards of the examples are at most 150 characters long", () => {
  for (const graph of [helpDesk, clinic])
    for (const tool of records(json(emitSquad(graph).config), "members").flatMap((member) => toolsOf(member)))
      for (const { liquid } of records(tool, "rejectionPlan", "conditions"))
        assert.ok(String(liquid).length <= 150, `${nameOf(tool)}: ${String(liquid)}`);
});
