import assert from "node:assert/strict";
import { test } from "node:test";
import { importAgent, parseGraph } from "../../../../mod.ts";
import * as fc from "../../../fast_check.ts";
import { lostParts, type Parts } from "../_law.ts";
import { CLINIC } from "./_flow.ts";

const TYPES = [
  ...["say-play", "gather-input-on-call", "split-based-on", "connect-call-to", "send-to-flex", "enqueue-call"],
  ...["record-voicemail", "run-function", "make-http-request", "set-variables", "send-message"],
  ...["send-and-wait-for-reply", "run-subflow", "fork-stream", "constructor", ""],
];
const EVENTS = [
  ...["audioComplete", "keypress", "speech", "timeout", "match", "noMatch", "success", "fail", "failed", "next"],
  ...["callCompleted", "callComplete", "hangup", "recordingComplete", "noAudio", "sent", "incomingMessage", "other"],
];
const NAMES = ["a", "b", "c d", "__proto__", "constructor", "end of the flow", "a answer", "9", "é"];
const CONDITIONS = [
  "equal_to",
  "not_equal_to",
  "matches_any_of",
  "contains",
  "is_blank",
  "regex",
  "starts_with",
  "new",
];
const PROPERTIES = [
  "say",
  "play",
  "body",
  "url",
  "to",
  "from",
  "input",
  "noun",
  "sip_endpoint",
  "digits",
  "method",
  "hints",
  "new",
];

const condition = fc.record({
  arguments: fc.constantFrom(["{{widgets.a.Digits}}"], ["{{flow.variables.x}}"], ["text"], []),
  type: fc.constantFrom(...CONDITIONS),
  value: fc.constantFrom("1", "yes, no", ""),
});
const exit = fc.record(
  {
    event: fc.constantFrom(...EVENTS),
    next: fc.constantFrom(...NAMES, "gone"),
    conditions: fc.array(condition, { maxLength: 3 }),
  },
  { requiredKeys: ["event"] },
);
const widget = fc.record({
  name: fc.constantFrom(...NAMES),
  type: fc.constantFrom(...TYPES),
  transitions: fc.array(exit, { maxLength: 5 }),
  keys: fc.uniqueArray(fc.constantFrom(...PROPERTIES), { maxLength: 5 }),
  pairs: fc.integer({ min: 0, max: 2 }),
});

/** A flow whose texts are all different, and its parts. */
const flows = fc.array(widget, { minLength: 1, maxLength: 9 }).map((widgets) => {
  const states = widgets.map(({ name, type, transitions, keys, pairs }, index) => {
    const list = Array.from({ length: pairs }, (_, at) => ({ key: `k${at}`, value: `T${index}-${at}-v` }));
    const given: { readonly [key: string]: string } = Object.fromEntries(
      keys.map((key) => [key, `T${index}-${key}`.toUpperCase()]),
    );
    const properties: { readonly [key: string]: string | typeof list } = {
      ...given,
      parameters: list,
      variables: list,
    };
    return { name, type, transitions, properties };
  });
  const ids = new Set(states.map(({ name }) => name));
  const isFirst = (name: string, index: number) => states.findIndex((state) => state.name === name) === index;
  const parts: Parts = {
    nodes: states.map(({ name }, index) => ({ id: name, path: ["states", index] })),
    texts: states.flatMap(({ properties }, index) =>
      Object.entries(properties).flatMap(([key, value]) => {
        const path = ["states", index, "properties", key];
        return typeof value === "string" ? [{ text: value, path }] : value.map((pair) => ({ text: pair.value, path }));
      }),
    ),
    ways: states.flatMap(({ name, transitions }, index) =>
      transitions.flatMap(({ next }, at) =>
        next !== undefined && isFirst(name, index)
          ? [{ from: name, to: ids.has(next) ? next : "", path: ["states", index, "transitions", at] }]
          : [],
      ),
    ),
  };
  return { document: { states, initial_state: states[0]?.name ?? "" }, parts };
});

test("every widget, text and transition of a random flow is in the graph, or named in a finding", () => {
  fc.assert(
    fc.property(flows, ({ document, parts }) => {
      const imported = importAgent(JSON.stringify(document));
      assert.deepEqual(lostParts(parts, imported, "twilio-studio"), []);
      assert.deepEqual(parseGraph(JSON.parse(JSON.stringify(imported.graph))), imported.graph);
    }),
    { numRuns: 500 },
  );
});

test("lostParts() finds a text, a transition and a node that are neither in the graph nor named", () => {
  const imported = importAgent(JSON.stringify(CLINIC));
  const path = ["states", 1, "properties", "say"];
  const parts: Parts = {
    nodes: [{ id: "gone", path: ["states", 1] }],
    texts: [{ text: "gone", path }],
    ways: [{ from: "welcome", to: "doctor", path: ["states", 1, "transitions", 0] }],
  };
  const found = lostParts(
    { ...parts, nodes: [...parts.nodes, ...Object.keys(imported.graph.nodes).map((id) => ({ id, path }))] },
    imported,
    "twilio-studio",
  );
  assert.deepEqual(found, ["states.1", "states.1.properties.say", "states.1.transitions.0: welcome -> doctor"]);
});
