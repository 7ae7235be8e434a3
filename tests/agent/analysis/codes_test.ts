import assert from "node:assert/strict";
import { test } from "node:test";
import { CHECK_CODES, type CheckCode } from "../../../src/agent/analysis/mod.ts";
import { check } from "../../../src/agent/check/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { always, end, extract, graphOf, llm, logic, onTool, says, talk, when, whenAll } from "./_graphs.ts";

interface Example {
  /** A graph with exactly this finding. */
  readonly found: AgentGraph;
  /** The closest graph without a finding. */
  readonly none: AgentGraph;
}

const bye = { bye: end };
const AGE = { name: "age", description: "Age", type: "number" };
const VIP = { name: "vip", description: "Whether they are a member", type: "boolean" };
const MOOD = { name: "mood", description: "Mood", type: "enum", choices: ["calm", "upset", "sad"] };
const help = (...backs: readonly string[]) => ({
  condition: "Caller asks for help",
  go_back_conditions: backs.map((value) => ({ id: value, condition: { type: "llm_prompt", value } })),
});
const find = { name: "find_order", description: "Finds an order", parameters: { type: "object" } };
const callTool = (...transitions: readonly object[]) => ({ node_type: "function", tools: [find], transitions });
const PARAGRAPH =
  "Speak slowly and clearly, repeat every number that the caller gives, and ask them to confirm it before you go on with the order or the return.";
const OTHER_PARAGRAPH = PARAGRAPH.replace("return.", "exchange.");

/** An extract node, and a logic node that routes by its variables. */
function routed(
  variables: readonly object[],
  ...transitions: readonly { readonly target_node_id: string }[]
): AgentGraph {
  const ends = transitions.map(({ target_node_id: id }) => id).filter((id) => id.length === 1);
  return graphOf({
    ask: talk(llm("read", "Caller answers")),
    read: extract(variables, always("route")),
    route: logic(...transitions),
    ...Object.fromEntries(ends.map((id) => [id, end])),
  });
}
/** A chain of silent nodes behind a conversation node. */
function chain(length: number): AgentGraph {
  const nodes = Array.from({ length }, (_, index) => [
    `n${index}`,
    logic(always(index + 1 < length ? `n${index + 1}` : "bye")),
  ]);
  return graphOf({ ask: talk(llm("n0", "Caller answers")), ...Object.fromEntries(nodes), ...bye });
}
function extractions(count: number): AgentGraph {
  const nodes = Array.from({ length: count }, (_, index) => {
    const next = index + 1 < count ? `n${index + 1}` : "say";
    return [`n${index}`, extract([{ name: `v${index}`, type: "string" }], always(next))];
  });
  const read = Array.from({ length: count }, (_, index) => `{{v${index}}}`).join(" ");
  return graphOf({
    ask: talk(llm("n0", "Caller answers")),
    ...Object.fromEntries(nodes),
    say: says(`Say ${read}`, llm("bye", "Done")),
    ...bye,
  });
}
const spoken = (text: string) =>
  graphOf({ a: { ...says(text, always("bye")), instruction_type: "static_text" }, ...bye });
const prompted = (...prompts: readonly string[]) =>
  graphOf({
    ...Object.fromEntries(
      prompts.map((prompt, index) => [
        `n${index}`,
        says(prompt, llm(index + 1 < prompts.length ? `n${index + 1}` : "bye", "Next")),
      ]),
    ),
    ...bye,
  });
const suppressing = (suppress: object) =>
  graphOf(
    { a: { ...talk(), metadata: { callweave: { suppress } } }, b: { ...talk(llm("a", "x"), llm("bye", "y")) }, ...bye },
    { entry_node_id: "b" },
  );

const EXAMPLES: { readonly [code in CheckCode]: Example } = {
  "unknown-entry": {
    found: { ...graphOf({ a: talk(llm("bye", "x")), ...bye }), entry_node_id: "b" },
    none: graphOf({ a: talk(llm("bye", "x")), ...bye }),
  },
  "unknown-target": {
    found: withTarget(graphOf({ a: talk(llm("bye", "x"), llm("bye", "y")), ...bye }), "goodbye"),
    none: graphOf({ a: talk(llm("bye", "x"), llm("bye", "y")), ...bye }),
  },
  "unreachable-node": {
    found: graphOf({ a: talk(llm("bye", "x")), lost: talk(llm("bye", "x")), ...bye }),
    none: graphOf({ a: talk(llm("bye", "x"), llm("lost", "y")), lost: talk(llm("bye", "x")), ...bye }),
  },
  island: {
    found: graphOf({
      a: talk(llm("bye", "x")),
      lost: talk(llm("far", "x")),
      far: talk(llm("lost", "x"), llm("bye", "y")),
      ...bye,
    }),
    none: graphOf({
      a: talk(llm("bye", "x"), llm("far", "y")),
      lost: talk(llm("far", "x")),
      far: talk(llm("lost", "x"), llm("bye", "y")),
      ...bye,
    }),
  },
  "dead-end": {
    found: graphOf({ a: talk(llm("b", "x"), llm("bye", "y")), b: talk(), ...bye }),
    none: graphOf({ a: talk(llm("b", "x"), llm("bye", "y")), b: talk(llm("bye", "x")), ...bye }),
  },
  "no-way-out": {
    found: graphOf({ a: talk(llm("b", "x"), llm("bye", "y")), b: talk(llm("b", "Again")), ...bye }),
    none: graphOf({ a: talk(llm("b", "x"), llm("bye", "y")), b: talk(llm("b", "Again"), llm("a", "Back")), ...bye }),
  },
  "end-never-reached": {
    found: graphOf({ a: talk(llm("b", "x"), llm("bye", "y")), b: talk(llm("c", "x")), c: talk(llm("b", "x")), ...bye }),
    none: graphOf({
      a: talk(llm("b", "x"), llm("bye", "y")),
      b: talk(llm("c", "x")),
      c: talk(llm("b", "x"), llm("bye", "y")),
      ...bye,
    }),
  },
  "end-with-edges": {
    found: graphOf({ a: talk(llm("bye", "x")), bye: { ...end, transitions: [always("a")] } }),
    none: graphOf({ a: talk(llm("bye", "x")), ...bye }),
  },
  "endless-loop": {
    found: graphOf({ a: talk(llm("b", "x"), llm("bye", "y")), b: logic(always("c")), c: logic(always("b")), ...bye }),
    none: graphOf({ a: talk(llm("b", "x"), llm("bye", "y")), b: logic(always("c")), c: logic(always("a")), ...bye }),
  },
  "silent-cycle": {
    found: routed([VIP], when("a", "vip", "==", "true"), always("read")),
    none: routed([VIP], when("a", "vip", "==", "true"), always("ask")),
  },
  "hop-limit": { found: chain(20), none: chain(19) },
  "many-model-calls": { found: extractions(5), none: extractions(4) },
  "empty-condition": {
    found: graphOf({ a: talk(llm("bye", " ")), ...bye }),
    none: graphOf({ a: talk(llm("bye", "Done")), ...bye }),
  },
  "equation-mismatch": {
    found: routed([AGE], when("a", "age", ">", "many"), always("b")),
    none: routed([AGE], when("a", "age", ">", "10"), always("b")),
  },
  "unknown-choice": {
    found: routed([MOOD], when("a", "mood", "==", "clam"), always("b")),
    none: routed([MOOD], when("a", "mood", "==", "calm"), always("b")),
  },
  "right-names-variable": {
    found: routed(
      [MOOD, { ...VIP, name: "calm" }],
      when("a", "mood", "==", "calm"),
      when("b", "calm", "==", "true"),
      always("c"),
    ),
    none: routed(
      [MOOD, { ...VIP, name: "quiet" }],
      when("a", "mood", "==", "calm"),
      when("b", "quiet", "==", "true"),
      always("c"),
    ),
  },
  "never-true": {
    found: routed(
      [AGE],
      whenAll("a", { left: "age", operator: ">", right: 5 }, { left: "age", operator: "<", right: 5 }),
      always("b"),
    ),
    none: routed(
      [AGE],
      whenAll("a", { left: "age", operator: ">=", right: 5 }, { left: "age", operator: "<=", right: 5 }),
      always("b"),
    ),
  },
  "unreadable-number": {
    found: graphOf({ a: talk(when("bye", "balance", ">", 5), llm("bye", "Done")), ...bye }, defaults("1,200")),
    none: graphOf({ a: talk(when("bye", "balance", ">", 5), llm("bye", "Done")), ...bye }, defaults("1200")),
  },
  "shadowed-transition": {
    found: routed([AGE], when("a", "age", ">", 5), when("b", "age", ">=", 7), always("c")),
    none: routed([AGE], when("b", "age", ">=", 7), when("a", "age", ">", 5), always("c")),
  },
  "overlapping-transitions": {
    found: routed([AGE], when("a", "age", ">", 5), when("b", "age", "<", 9), always("c")),
    none: routed([AGE], when("a", "age", ">", 5), when("b", "age", "<=", 5), always("c")),
  },
  "no-else": {
    found: routed([AGE], when("a", "age", ">", 5), when("b", "age", "<=", 5)),
    none: routed([AGE], when("a", "age", ">", 5), when("b", "age", "<=", 5), when("c", "age", "not_exist")),
  },
  "unhandled-choice": {
    found: routed([MOOD], when("a", "mood", "==", "calm"), when("b", "mood", "==", "upset")),
    none: routed(
      [MOOD],
      when("a", "mood", "==", "calm"),
      when("b", "mood", "==", "upset"),
      when("c", "mood", "==", "sad"),
      when("c", "mood", "not_exist"),
    ),
  },
  "unknown-variable": {
    found: graphOf({ a: talk(when("bye", "plan", "exists"), llm("bye", "Done")), ...bye }),
    none: graphOf({ a: talk(when("bye", "user_number", "exists"), llm("bye", "Done")), ...bye }),
  },
  "undeclared-variable": {
    found: graphOf({ a: says("Greet {{name}}", llm("bye", "Done")), ...bye }),
    none: graphOf(
      { a: says("Greet {{name}}", llm("bye", "Done")), ...bye },
      { source_metadata: { default_dynamic_variables: { name: "you" } } },
    ),
  },
  "unset-variable": {
    found: graphOf({ a: says("You are {{age}}", llm("b", "x")), b: extract([AGE], always("bye")), ...bye }),
    none: graphOf({
      a: says("You are {{age}}", llm("b", "x"), llm("bye", "y")),
      b: extract([AGE], always("a")),
      ...bye,
    }),
  },
  "unused-variable": {
    found: graphOf({ a: talk(llm("b", "x")), b: extract([AGE], always("bye")), ...bye }),
    none: graphOf({
      a: talk(llm("b", "x")),
      b: extract([AGE], always("c")),
      c: says("You are {{age}}", llm("bye", "x")),
      ...bye,
    }),
  },
  "nothing-to-extract": {
    found: graphOf({ a: talk(llm("b", "x")), b: extract([], always("bye")), ...bye }),
    none: graphOf({ a: talk(llm("b", "x")), b: logic(always("bye")), ...bye }),
  },
  "unknown-snippet": {
    found: graphOf({ a: says("{%tone%}", llm("bye", "x")), ...bye }),
    none: graphOf({ a: says("{%tone%}", llm("bye", "x")), ...bye }, { snippets: { tone: "Be kind" } }),
  },
  "unused-snippet": {
    found: graphOf({ a: talk(llm("bye", "x")), ...bye }, { snippets: { tone: "Be kind" } }),
    none: graphOf({ a: talk(llm("bye", "{%tone%}")), ...bye }, { snippets: { tone: "Be kind" } }),
  },
  "nested-snippet": {
    found: graphOf(
      { a: says("{%tone%} {%style%}", llm("bye", "x")), ...bye },
      { snippets: { tone: "Be kind", style: "{%tone%}" } },
    ),
    none: graphOf(
      { a: says("{%tone%} {%style%}", llm("bye", "x")), ...bye },
      { snippets: { tone: "Be kind", style: "Brief" } },
    ),
  },
  "global-reentry": {
    found: graphOf({
      a: talk(llm("bye", "x")),
      g: { ...talk(), global_node_setting: help("Helped") },
      h: { ...talk(), global_node_setting: { ...help("Done"), condition: "Caller complains" } },
      ...bye,
    }),
    none: graphOf({
      a: talk(llm("bye", "x")),
      g: { ...talk(), global_node_setting: help("Helped") },
      h: { ...talk(llm("bye", "Calm")), global_node_setting: { ...help(), condition: "Caller complains" } },
      ...bye,
    }),
  },
  "global-steals-transition": {
    found: graphOf({
      a: talk(llm("b", "The caller is asking for help"), llm("bye", "x")),
      b: talk(llm("bye", "x")),
      g: { ...talk(llm("bye", "x")), global_node_setting: help() },
      ...bye,
    }),
    none: graphOf({
      a: talk(llm("b", "The caller is asking for a price"), llm("bye", "x")),
      b: talk(llm("bye", "x")),
      g: { ...talk(llm("bye", "x")), global_node_setting: help() },
      ...bye,
    }),
  },
  "go-back-into-end": {
    found: graphOf({
      a: talk(llm("desk", "x")),
      desk: { node_type: "transfer", transfer_to: "+14155550100", transitions: [onTool("g", "failed")] },
      g: { ...talk(), global_node_setting: help("Helped") },
    }),
    none: graphOf({
      a: talk(llm("desk", "x")),
      desk: { node_type: "transfer", transfer_to: "+14155550100", transitions: [onTool("a", "failed")] },
      g: { ...talk(), global_node_setting: help("Helped") },
    }),
  },
  "same-condition": {
    found: graphOf({
      a: talk(llm("b", "Caller is done"), llm("bye", "caller is done.")),
      b: talk(llm("bye", "x")),
      ...bye,
    }),
    none: graphOf({
      a: talk(llm("b", "Caller is not done"), llm("bye", "caller is done.")),
      b: talk(llm("bye", "x")),
      ...bye,
    }),
  },
  "empty-prompt": { found: prompted("Greet the caller", " "), none: prompted("Greet the caller", "Say goodbye") },
  "repeated-text": {
    found: prompted(`Greet.\n\n${PARAGRAPH}`, `Ask.\n\n${PARAGRAPH}`),
    none: prompted(`Greet.\n\n${PARAGRAPH}`, "Ask."),
  },
  "similar-text": {
    found: prompted(`Greet.\n\n${PARAGRAPH}`, `Ask.\n\n${OTHER_PARAGRAPH}`),
    none: prompted(`Greet.\n\n${PARAGRAPH}`, "Ask."),
  },
  "tool-not-on-node": {
    found: graphOf({
      a: says("Call `find_order` first", llm("b", "x")),
      b: talk(llm("f", "x")),
      f: callTool(always("bye")),
      ...bye,
    }),
    none: graphOf({
      a: { ...says("Call `find_order` first", llm("b", "x")), tools: [find] },
      b: talk(llm("f", "x")),
      f: callTool(always("bye")),
      ...bye,
    }),
  },
  "function-without-tool": {
    found: graphOf({ a: talk(llm("f", "x")), f: { node_type: "function", transitions: [always("bye")] }, ...bye }),
    none: graphOf({ a: talk(llm("f", "x")), f: callTool(always("bye")), ...bye }),
  },
  "destination-missing": {
    found: graphOf({ a: talk(llm("desk", "x")), desk: { node_type: "transfer" } }),
    none: graphOf({ a: talk(llm("desk", "x")), desk: { node_type: "transfer", transfer_to: "+14155550100" } }),
  },
  "duplicate-tool": {
    found: graphOf({ a: { ...talk(llm("bye", "x")), tools: [find, find] }, ...bye }),
    none: graphOf({ a: { ...talk(llm("bye", "x")), tools: [find, { ...find, name: "find_parcel" }] }, ...bye }),
  },
  "conflicting-tools": {
    found: graphOf({
      a: { ...talk(llm("b", "x")), tools: [find] },
      b: { ...talk(llm("bye", "x")), tools: [{ ...find, url: "https://example.com" }] },
      ...bye,
    }),
    none: graphOf({
      a: { ...talk(llm("b", "x")), tools: [find] },
      b: { ...talk(llm("bye", "x")), tools: [find] },
      ...bye,
    }),
  },
  "personal-data": {
    found: prompted("Charge the card 4539 1488 0343 6467"),
    none: prompted("Charge the card 4539 1488 0343 6468"),
  },
  "spoken-markup": { found: spoken("Hello, **dear** caller"), none: spoken("Hello, dear caller <break time='1s'/>") },
  "spoken-url": { found: spoken("See https://example.com/help"), none: spoken("See our help page") },
  "spoken-digits": { found: spoken("Call 15550100442"), none: spoken("Call 1 555 010 04 42") },
  "mixed-languages": {
    found: opened("Guten Tag, hier ist die Praxis. Was kann ich für Sie tun?"),
    none: opened("Hello, this is the practice. What can I do for you?"),
  },
  "language-setting": {
    found: opened("Hello, this is the practice. What can I do for you?", "de-DE"),
    none: opened("Hello, this is the practice. What can I do for you?", "en-GB"),
  },
  "unknown-key": {
    found: graphOf({ a: { ...talk(llm("bye", "x")), transitons: [] }, ...bye }),
    none: graphOf({ a: { ...talk(llm("bye", "x")), notes: [] }, ...bye }),
  },
  "unused-suppression": {
    found: suppressing({ "dead-end": "Callers hang up here", "no-else": "Not needed" }),
    none: suppressing({ "dead-end": "Callers hang up here" }),
  },
  "suppression-without-reason": {
    found: suppressing({ "dead-end": "Callers hang up here", "no-else": " " }),
    none: suppressing({ "dead-end": "Callers hang up here" }),
  },
};

/** A graph with English prompts and these first words. */
function opened(begin_message: string, language?: string): AgentGraph {
  const source_metadata = {
    general_prompt: "You answer the phone of a practice. Be brief, and ask for the name of the caller.",
    begin_message,
    ...(language === undefined ? {} : { language }),
  };
  return graphOf({ a: talk(llm("bye", "Caller is done")), ...bye }, { source_metadata });
}

function defaults(balance: string) {
  return { source_metadata: { default_dynamic_variables: { balance } } };
}

/** The graph with the target of its entry's first transition changed. */
function withTarget(graph: AgentGraph, target_node_id: string): AgentGraph {
  const entry = graph.nodes[graph.entry_node_id];
  const [first, ...others] = entry?.transitions ?? [];
  if (!entry || !first) return graph;
  return {
    ...graph,
    nodes: { ...graph.nodes, [entry.id]: { ...entry, transitions: [{ ...first, target_node_id }, ...others] } },
  };
}

for (const code of CHECK_CODES) {
  test(`check() finds ${code} in the smallest graph that has it, and nothing in the nearest one`, () => {
    const { found, none } = EXAMPLES[code];
    assert.deepEqual(
      check(found).map((finding) => finding.code),
      [code],
    );
    assert.deepEqual(check(none), []);
  });
}
