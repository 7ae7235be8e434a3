import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnMode } from "../../../src/call/engine/mod.ts";
import { offline, scripted } from "../../../src/call/models/mod.ts";
import type { Budget } from "../../../src/call/turn/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import type { ScenarioInput } from "../../../src/document/scenario/mod.ts";
import { estimate, type RunOptions, run } from "../../../src/run/runner/mod.ts";
import { to } from "../../call/engine/calls.ts";
import { RANDOM_NODE_TYPES } from "../../call/engine/random_calls.ts";
import { fc } from "../../properties.ts";
import { CHAT, DESK } from "./_fixtures.ts";

const MODES: readonly TurnMode[] = ["split", "speculative", "fused"];
const PRICED = { models: { agent: "openai/gpt-5-mini" } };

test("estimate() is exact for a call without choices", () => {
  const { total, roles } = estimate(
    CHAT,
    [{ name: "two lines", says: ["Hi", "Bye"], excludes: ["never said"] }],
    PRICED,
  );
  assert.deepEqual(total.calls, { least: 2, most: 2, worst: 2 * 4 * 5 });
  assert.deepEqual(roles.caller.calls, { least: 0, most: 0, worst: 0 });
  assert.ok(total.costUsd && total.costUsd.least > 0 && total.costUsd.least === total.costUsd.most);
});

test("estimate() counts a persona's turns, the judge and the extract node", () => {
  const persona = { name: "a", user_prompt: "You have a bill.", metrics: ["Is kind", "Is brief"], max_turns: 3 };
  const { roles } = estimate(DESK, [persona], { ...PRICED, judging: { audit: "off" } });
  assert.deepEqual(roles.caller.calls, { least: 1, most: 3, worst: 15 });
  assert.deepEqual(roles.judge.calls, { least: 1, most: 1, worst: 5 });
  assert.equal(roles.agent.calls.least, 0);
  // a decision a turn, one extraction, and replies that may go on calling a tool up to the turn's limit
  assert.ok(roles.agent.calls.most >= 3 + 1 + 20 && roles.agent.calls.most <= 3 * (1 + 20) + 1);
});

test("estimate() counts each judge of the largest panel", () => {
  const metrics = [{ criterion: "Is kind", panel: 3 }, { criterion: "Is brief" }];
  const persona = { name: "a", user_prompt: "You have a bill.", metrics };
  const { roles } = estimate(DESK, [persona], { ...PRICED, judging: { audit: "off" } });
  assert.deepEqual(roles.judge.calls, { least: 3, most: 3, worst: 15 });
});

test("estimate() without models is of the offline model, which is asked once for each answer", () => {
  const persona = { name: "a", user_prompt: "You have a bill." };
  const judged = (options: RunOptions) =>
    estimate(DESK, [persona], { ...options, judging: { audit: "off", ...options.judging } }).roles.judge.calls;
  // a call that the audit finds invalid is replaced, up to twice
  assert.deepEqual(judged({ judging: { audit: "judge" } }), { least: 1, most: 1, worst: 3 });
  assert.deepEqual(judged({ judging: { flow: true } }), { least: 0, most: 1, worst: 1 });
  assert.deepEqual(judged({ judging: { metrics: ["Is kind"] } }), { least: 1, most: 1, worst: 1 });
});

test("estimate() uses the default limit of a turn when the budget has none", () => {
  const persona = [{ name: "a", user_prompt: "You have a bill.", max_turns: 3 }];
  const of = (budget: Budget) => estimate(DESK, persona, { ...PRICED, limits: { budget } }).total.calls.most;
  assert.equal(of({ turn: { tokens: 1_000_000 } }), of({}));
  assert.ok(of({ turn: { modelCalls: 40 } }) > of({}));
});

test("estimate() lists models without a price, and the cost of the others", () => {
  const scenarios = [{ name: "a", user_prompt: "You are Jo.", metrics: ["Is kind"] }];
  const models = { agent: "ollama/llama", caller: "offline", judge: "openai/gpt-5" };
  const unknown = estimate(CHAT, scenarios, { models });
  assert.deepEqual(unknown.unpriced, ["ollama/llama"]);
  assert.equal(unknown.total.costUsd, null);
  assert.deepEqual(unknown.roles.caller.costUsd, { least: 0, most: 0 });
  assert.ok((unknown.roles.judge.costUsd?.most ?? 0) > 0);
  const prices = { "ollama/llama": { input: 1, output: 1 } };
  const known = estimate(CHAT, scenarios, { models, requests: { prices } });
  assert.deepEqual(known.unpriced, []);
  assert.ok((known.total.costUsd?.most ?? 0) > 0);
});

test("estimate() accounts for turn modes and budgets", () => {
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: {
      a: { state_prompt: "A", transitions: [to("b", "Caller wants b")] },
      b: { state_prompt: "B", transitions: [to("a", "Caller wants a")] },
    },
  });
  const scenarios = [{ name: "eight", says: Array.from({ length: 8 }, (_, index) => `line ${index}`) }];
  const of = (turn: TurnMode) => estimate(graph, scenarios, { ...PRICED, turn }).total.calls;
  assert.deepEqual([of("split").least, of("split").most], [17, 17]);
  assert.deepEqual([of("fused").least, of("fused").most], [9, 9]);
  assert.deepEqual([of("speculative").least, of("speculative").most], [17, 25]);
  const cut = estimate(graph, scenarios, { ...PRICED, limits: { budget: { call: { modelCalls: 3 } } } }).total.calls;
  assert.deepEqual([cut.least, cut.most], [3, 11]);
});

test("estimate() uses Infinity, in JSON null, for a missing upper bound", () => {
  const scenarios = [{ name: "a", user_prompt: "You talk." }];
  const { total } = estimate(CHAT, scenarios, { ...PRICED, limits: { maxTurns: Number.POSITIVE_INFINITY } });
  assert.equal(total.calls.most, Number.POSITIVE_INFINITY);
  assert.equal(JSON.parse(JSON.stringify(total)).calls.most, null);
});

test("estimate() covers calls whose begin message may be empty", async () => {
  for (const begin of [" ", "{{greeting}}"]) {
    const graph = parseGraph({
      entry_node_id: "a",
      source_metadata: { begin_message: begin, default_dynamic_variables: { greeting: "" } },
      nodes: {
        a: {
          instruction_type: "static_text",
          state_prompt: "Hello.",
          transitions: [{ target_node_id: "b", condition: { type: "always" }, timing: "skip_response" }],
        },
        b: { state_prompt: "Ask what it is about." },
      },
    });
    await holds(graph, [{ name: "one line", says: ["Hi"], excludes: ["never said"] }], offline());
  }
});

/** Runs scenarios and compares the usage of their calls with the estimate. */
async function holds(graph: AgentGraph, scenarios: readonly ScenarioInput[], agent: ReturnType<typeof offline>) {
  for (const turn of MODES) {
    const options = { models: { agent }, turn, limits: { maxTurns: 4 } };
    const estimated = estimate(graph, scenarios, options);
    const report = await run(graph, scenarios, {
      ...options,
      store: false,
      limits: { ...options.limits, concurrency: 1 },
    });
    const brokeOff = report.results.some(({ endReason }) => endReason === "dead_air");
    for (const [index, { status, usage, scenario, endReason: end, errorMessage: error }] of report.results.entries()) {
      const bounds = estimated.scenarios[index]?.calls;
      assert.ok(bounds && bounds.least <= bounds.most && bounds.most <= bounds.worst);
      assert.ok(status !== "error", `${scenario} in ${turn}: ${error}`);
      const found = `${usage.calls} calls of "${scenario}" in ${turn}, estimated ${JSON.stringify(bounds)}`;
      assert.ok((end === "dead_air" || usage.calls >= bounds.least) && usage.calls <= bounds.most, found);
    }
    for (const role of ["agent", "caller", "judge"] as const) {
      const calls = report.usage.byRole?.[role].calls ?? 0;
      const bounds = estimated.roles[role].calls;
      assert.ok((brokeOff || calls >= bounds.least) && calls <= bounds.most, `${role} in ${turn}: ${calls}`);
    }
  }
}

test("offline runs stay within their estimates", async () => {
  const scenarios = [
    { name: "billing", says: ["It is about my bill", "Thanks", "Bye"], metrics: ["Says goodbye"] },
    { name: "manager", says: ["Give me your manager", "I am Jo", "Bye"], excludes: ["never said"] },
    { name: "persona", user_prompt: "You want to know your bill. Your account is 123-45.", metrics: ["Is kind"] },
  ];
  await holds(DESK, scenarios, offline());
});

const ids = ["a", "b", "c", "d"];
const id = fc.constantFrom(...ids);
const condition = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ type: "llm_prompt", value: "Caller wants it" }) },
  { weight: 2, arbitrary: fc.constant({ type: "always" }) },
  fc.constant({ type: "equation", equations: [{ left: "x", operator: "exists" }] }),
  fc.constant({ type: "equation", equations: [{ left: "y", operator: "not_exist" }] }),
  fc.constant({ type: "tool_call", value: "" }),
);
const TOOL = { name: "t", description: "", parameters: { properties: { q: { type: "string" } } } };
const node = fc.record({
  node_type: fc.constantFrom(...RANDOM_NODE_TYPES),
  state_prompt: fc.constantFrom("", "Say {{y}}.", "{{x}}", "Ask for the name."),
  instruction_type: fc.constantFrom("prompt", "static_text"),
  tools: fc.constantFrom<readonly object[]>([], [], [TOOL], [{ ...TOOL, type: "end_call" }]),
  variables_to_extract: fc.constantFrom([], [{ name: "x", description: "", type: "string" }]),
  transitions: fc.array(
    fc.record({ target_node_id: id, condition, timing: fc.constantFrom("after_speech", "skip_response", "else") }),
    { maxLength: 3 },
  ),
  global_node_setting: fc.option(
    fc.record({
      condition: fc.constant("Caller asks for it"),
      go_back_conditions: fc.array(fc.record({ id: fc.constant("back"), condition }), { maxLength: 1 }),
    }),
    { nil: undefined, freq: 3 },
  ),
});
/** No model calls tools that it was not offered; this one sees in the prompt whether it was. */
const marked = node.map((each) =>
  each.tools.length > 0 && each.state_prompt ? { ...each, state_prompt: `${each.state_prompt} Use t.` } : each,
);
const graphs = fc.record({
  entry_node_id: id,
  nodes: fc
    .tuple(marked, marked, marked, marked)
    .map((nodes) => Object.fromEntries(nodes.map((each, index) => [ids[index], each]))),
  source_metadata: fc.constantFrom({}, { begin_message: "Hello" }, { begin_message: "" }),
});

/** A model with random but valid answers. */
function erratic(seed: number) {
  let state = seed;
  const chance = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % count;
  };
  const many = <Input>(answer: (input: Input) => unknown) => Array.from({ length: 400 }, () => answer);
  const target = () => ["a", "b", "c", "d", "none"][chance(5)] ?? "none";
  const decide = () => ({ objectives_complete: chance(4) > 0, transition_to: target() });
  let tools = 0;
  return scripted({
    transition: many(decide),
    fused: many(() => ({ ...decide(), reply: "Well." })),
    extract: many(() => ({ x: chance(2) ? "1" : null })),
    arguments: many(() => ({ q: String(chance(3)) })),
    respond: many(({ state_instructions: prompt }: { readonly state_instructions: string }) => {
      tools += 1;
      return chance(3) || !prompt.includes("Use t")
        ? "Well."
        : { toolCalls: [{ name: "t", arguments: { q: String(tools) } }] };
    }),
    caller: many(() => ({ message: chance(5) ? "Hm" : "", should_end: chance(6) === 0 })),
  });
}

test("runs of random graphs with random usable answers stay within their estimates", async () => {
  const scenarios = [
    { name: "script", says: ["one", "two", "three"], excludes: ["never said"] },
    { name: "persona", user_prompt: "You are Jo.", ends: "caller_ended" as const },
  ];
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 1_000_000 }), async (document, seed) => {
      const graph = parseGraph(document);
      await holds(graph, scenarios, erratic(seed));
    }),
    { numRuns: 60 },
  );
});
