import { readFileSync } from "node:fs";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../../../src/document/graph/mod.ts";

/** The workflow of the migration guide, in the envelope of an export. */
export function bikeWorkshop(): JsonObject {
  const file = new URL("../../../../examples/vapi-migration/workflow.json", import.meta.url);
  return record(JSON.parse(readFileSync(file, "utf8")));
}

/** A workflow of SDK 0.5 and 0.6: say, gather, apiRequest, transfer and hangup nodes. */
export const SECOND_GENERATION: JsonObject = {
  name: "parcel",
  nodes: [
    { type: "say", name: "hello", exact: "Welcome to the parcel line.", metadata: null },
    {
      type: "gather",
      name: "number",
      literalTemplate: "What is the parcel's number?",
      confirmContent: false,
      maxRetries: 2,
      output: {
        type: "object",
        properties: { parcel: { type: "string", description: "Twelve digits" } },
        required: ["parcel"],
      },
    },
    {
      type: "apiRequest",
      name: "track",
      method: "GET",
      url: "https://example.com/parcels/{{parcel}}",
      mode: "blocking",
      output: { type: "object", properties: { place: { type: "string" } } },
    },
    { type: "say", name: "place", prompt: "Say where the parcel is: {{place}}." },
    { type: "transfer", name: "desk", destination: { type: "number", number: "+14155550170", message: "One moment." } },
    { type: "hangup", name: "bye" },
  ],
  edges: [
    { from: "hello", to: "number" },
    { from: "number", to: "track", condition: { type: "ai", matches: ["caller gave a number", "number is known"] } },
    { from: "track", to: "desk", condition: { type: "failed" } },
    {
      from: "track",
      to: "place",
      condition: { type: "logic", liquid: "{% if place != blank %}true{% else %}false{% endif %}" },
    },
    { from: "place", to: "bye", condition: { type: "ai", prompt: "" } },
  ],
};

/** A workflow of SDK 0.4, with capitalized types and other conditions. */
export const FIRST_GENERATION: JsonObject = {
  name: "old",
  nodes: [
    { type: "Say", name: "start", prompt: "Greet." },
    { type: "Gather", name: "ask", output: { properties: { age: { type: "number" } } } },
  ],
  edges: [
    { from: "start", to: "ask", condition: { type: "semantic", matches: ["greeted"] } },
    {
      from: "ask",
      to: "start",
      condition: { type: "programmatic", booleanExpression: "age >= 18 and city == 'Bern'" },
    },
  ],
};

/** A workflow in the form of Vapi's guides, which the API never accepted. */
export const DOCUMENTED: JsonObject = {
  nodes: [
    {
      id: "n1",
      type: "conversation",
      name: "greeting",
      systemPrompt: "Greet.",
      extractVariables: [{ name: "who", type: "string" }],
    },
    {
      id: "n2",
      type: "global",
      name: "human",
      isGlobal: true,
      condition: "Caller asks for a human",
      systemPrompt: "Connect.",
    },
    { id: "n3", type: "end", name: "done" },
  ],
  edges: [
    { from: "n1", to: "n3", condition: "Caller is done" },
    { from: "n1", to: "nowhere", condition: "dangling" },
    { from: "n2", to: "n3", condition: '{{ who == "Ann" }}' },
    null,
  ],
};

/** All documents, with their names. */
export const DOCUMENTS: readonly (readonly [string, JsonObject])[] = [
  ["an export", bikeWorkshop()],
  ["SDK 0.5", SECOND_GENERATION],
  ["SDK 0.4", FIRST_GENERATION],
  ["the guides", DOCUMENTED],
];

/** Imports a workflow, and saves and loads the graph. */
export function imported(document: unknown): AgentGraph {
  return saved(importAgent(document, { format: "vapi-workflow" }).graph);
}

/** Saves and loads a graph. */
export function saved(graph: unknown): AgentGraph {
  return parseGraph(JSON.parse(JSON.stringify(graph)));
}

/** Emits a graph as a workflow. */
export function emitted(graph: AgentGraph): JsonObject {
  return record(JSON.parse(JSON.stringify(emit(graph, "vapi-workflow").config)));
}

/** Asserts that a value is an object. */
export function record(value: unknown): JsonObject {
  if (!isRecord(value)) throw new TypeError("no object");
  return value;
}

/** Returns the paths at which two JSON values differ, with the second value. */
export function differences(before: unknown, after: unknown, path = ""): readonly (readonly [string, unknown])[] {
  if (Object.is(before, after)) return [];
  const [a, b] = [entriesOf(before), entriesOf(after)];
  if (!a || !b || Array.isArray(before) !== Array.isArray(after)) return [[path.slice(1), after]];
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  return keys.flatMap((key) => differences(a.get(key), b.get(key), `${path}.${key}`));
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
}
