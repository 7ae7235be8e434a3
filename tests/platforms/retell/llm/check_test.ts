import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFormat, importAgent } from "../../../../platforms/mod.ts";
import { CLINIC, SINGLE } from "./documents.ts";

/** Returns the findings for an LLM as code and path. */
function findings(llm: object): string[] {
  const { graph } = importAgent(llm, { format: "retell-llm" });
  return checkFormat("retell-llm", graph).findings.map(
    ({ code, severity, path }) => `${severity} ${code} at ${path.join("/")}`,
  );
}

const state = (name: string, more: object = {}) => ({ name, state_prompt: "Hi", ...more });
const end = { type: "end_call", name: "end_call", description: "Done" };
const edge = (destination_state_name: string, description = "Next") => ({ destination_state_name, description });

test("checkGraph() has no findings for a valid LLM", () => {
  assert.deepEqual(findings(SINGLE), []);
  assert.deepEqual(
    findings({ general_tools: [end], starting_state: "a", states: [state("a", { edges: [edge("b")] }), state("b")] }),
    [],
  );
});

test("checkGraph() finds an edge to a missing state", () => {
  assert.deepEqual(findings(CLINIC), [
    "warning unknown-key at states/questions/pinned",
    "warning unknown-key at future_setting",
    "error unknown-state at states/greeting/edges/1",
  ]);
});

for (const [what, llm, found] of [
  [
    "two edges to one state",
    { general_tools: [end], starting_state: "a", states: [state("a", { edges: [edge("b"), edge("b")] }), state("b")] },
    "error repeated-edge at states/a/edges/1",
  ],
  [
    "an edge without a description",
    { general_tools: [end], starting_state: "a", states: [state("a", { edges: [edge("b", "")] }), state("b")] },
    "warning edge-description at states/a/edges/0",
  ],
  [
    "two states of one name",
    { general_tools: [end], starting_state: "a", states: [state("a"), state("a")] },
    "error duplicate-state at states/a",
  ],
  [
    "a name that Retell does not take",
    { general_tools: [end], starting_state: "a b", states: [state("a b")] },
    "error state-name at states/a b",
  ],
  [
    "a name over the limit",
    { general_tools: [{ ...end, name: "x".repeat(65) }] },
    "error tool-name at general_tools/0/name",
  ],
  [
    "two general tools of one name",
    { general_tools: [end, { type: "press_digit", name: "end_call" }] },
    "error duplicate-tool at general_tools/1/name",
  ],
  [
    "a state's tool with the name of a general one",
    {
      general_tools: [end],
      starting_state: "a",
      states: [state("a", { tools: [{ type: "press_digit", name: "end_call" }] })],
    },
    "error duplicate-tool at states/a/tools/0/name",
  ],
  [
    "a state's tool with the name of a transition",
    {
      general_tools: [end],
      starting_state: "a",
      states: [state("a", { edges: [edge("a")], tools: [{ type: "press_digit", name: "transition_to_a" }] })],
    },
    "error duplicate-tool at states/a/tools/0/name",
  ],
  ["states without a start", { general_tools: [end], states: [state("a")] }, "error starting-state at starting_state"],
  ["states without an end", { starting_state: "a", states: [state("a")] }, "warning no-end at general_tools"],
  [
    "a transfer to nowhere",
    {
      general_tools: [
        {
          type: "transfer_call",
          name: "t",
          transfer_destination: { type: "predefined", number: "" },
          transfer_option: {},
        },
      ],
    },
    "error destination-missing at nodes/t",
  ],
  [
    "a custom tool without a URL",
    { general_tools: [{ type: "custom", name: "t" }] },
    "error tool-url at general_tools/0/url",
  ],
  [
    "a timeout that is too short",
    { general_tools: [{ type: "custom", name: "t", url: "u", timeout_ms: 5 }] },
    "error tool-timeout at general_tools/0/timeout_ms",
  ],
  ["a tool of no kind", { general_tools: [{ name: "t" }] }, "error tool-kind at general_tools/0/type"],
  ["two models", { general_prompt: "", model: "gpt-4.1", s2s_model: "gpt-realtime" }, "error two-models at s2s_model"],
  [
    "a model that Retell does not list",
    { general_prompt: "", model: "mistral-large" },
    "warning unknown-model at model",
  ],
  [
    "a speech-to-speech model that Retell does not list",
    { general_prompt: "", s2s_model: "gpt-hum" },
    "warning unknown-model at s2s_model",
  ],
  [
    "a voice model that Retell does not list",
    { voice_id: "v", voice_model: "hum-1", retellLlmData: { general_prompt: "" } },
    "warning unknown-model at voice_model",
  ],
  [
    "a variable that is no text",
    { general_prompt: "", default_dynamic_variables: { n: 1 } },
    "error variable-text at default_dynamic_variables/n",
  ],
  [
    "a temperature out of range",
    { general_prompt: "", model_temperature: 2 },
    "error temperature at model_temperature",
  ],
] as const)
  test(`checkGraph() finds ${what}`, () => {
    assert.deepEqual(findings(llm), [found]);
  });
