import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { formats, importAgent } from "../../../platforms/mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { type JsonObject, parsedJson } from "../../../src/base/values/mod.ts";
import { otherDocument, otherTool } from "../../../src/document/graph/mod.ts";
import * as fc from "../../fast_check.ts";
import { readAll } from "../../run/calls/_read.ts";

const position = { x: 0, y: 0 };

/** Small documents of other tools, in their own shape. */
const OTHERS: readonly (readonly [title: string, ...documents: (JsonObject | readonly JsonObject[])[]])[] = [
  [
    "an n8n workflow",
    { name: "x", nodes: [{ parameters: {}, type: "n8n-nodes-base.set", position: [0, 0] }], connections: {} },
    { nodes: [{ id: "1", type: "@n8n/n8n-nodes-langchain.agent", name: "Agent" }], connections: {} },
    { name: "x", nodes: [{ id: "1", name: "Own", type: "own.node", typeVersion: 1 }], connections: {} },
    { name: "empty", nodes: [], connections: {}, settings: {} },
    [{ name: "x", nodes: [{ type: "n8n-nodes-base.code" }], connections: {}, active: false }],
  ],
  [
    "a Node-RED flow",
    [
      { id: "a", type: "tab" },
      { id: "b", type: "inject", z: "a", wires: [[]] },
    ],
  ],
  ["a Make scenario", { name: "x", flow: [{ id: 1, module: "gateway:CustomWebHook" }], metadata: {} }],
  ["a Zapier export", { metadata: {}, zaps: [{ nodes: {} }] }],
  ["a Langflow flow", { name: "x", data: { nodes: [{ id: "1", type: "genericNode", data: {} }], edges: [] } }],
  ["a Flowise chatflow", { nodes: [{ id: "a", type: "customNode", data: { baseClasses: ["Chat"] } }], edges: [] }],
  ["a Dify app", { kind: "app", workflow: { graph: { nodes: [{ id: "1", data: { type: "start" } }], edges: [] } } }],
  ["a Voiceflow project", { version: { name: "x" }, diagrams: { a: { nodes: {} } } }],
  ["a Botpress flow", { version: "0.0.1", startNode: "entry", nodes: [{ id: "1", name: "entry", next: [] }] }],
  ["a Typebot", { version: "6", groups: [{ blocks: [] }], edges: [{ from: {}, to: {} }] }],
  [
    "a Dialogflow CX agent",
    { displayName: "Default Start Flow", transitionRoutes: [{ intent: "a" }], eventHandlers: [] },
    { displayName: "x", defaultLanguageCode: "en", timeZone: "Europe/Berlin" },
  ],
  ["a Dialogflow ES agent", { language: "en", defaultTimezone: "Europe/Berlin", description: "" }],
  ["an Amazon Lex bot", { metadata: { schemaVersion: "1.0", importType: "LEX" }, resource: {} }],
  ["an AWS state machine", { StartAt: "a", States: { a: { Type: "Pass" } } }],
  ["a Watson Assistant skill", { intents: [], entities: [], dialog_nodes: [] }],
  ["a Bot Framework dialog", { $kind: "Microsoft.AdaptiveDialog", triggers: [] }],
  ["an XState machine", { id: "x", initial: "a", states: { a: { on: {} } } }],
  ["a LiveKit document", { dispatch_rule: { name: "x", rule: {} } }, { trunk: { name: "x", numbers: ["+1555"] } }],
  ["an Ultravox agent", { agentId: "a", name: "x", callTemplate: { systemPrompt: "Hi" } }],
  ["an OpenAI assistant", { id: "asst_1", object: "assistant", instructions: "Hi", model: "gpt-4o", tools: [] }],
  ["an OpenAPI document", { openapi: "3.1.0", info: {}, paths: {} }, { swagger: "2.0", paths: {} }],
  ["a Postman collection", { info: { _postman_id: "a", name: "x" }, item: [] }],
  ["a package.json", { name: "x", version: "1.0.0", scripts: {} }, { name: "x", devDependencies: {} }],
  ["a lock file of packages", { name: "x", lockfileVersion: 3, packages: {} }],
  ["a tsconfig.json", { compilerOptions: { strict: true } }],
  ["a JSON Schema", { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" }],
  ["a notebook", { cells: [], nbformat: 4, metadata: {} }],
  ["a recorded call", { id: "c", type: "webCall", artifact: { messages: [] } }, { call_id: "c", call_status: "ended" }],
  ["a list of scenarios", [{ name: "a", user_prompt: "You call." }], { scenarios: [{ name: "a", user_prompt: "" }] }],
  ["a React Flow diagram", { nodes: [{ id: "1", type: "input", position }], edges: [{ source: "1", target: "1" }] }],
];

/** Documents of tools that a format reads, by its name. */
const READ: readonly (readonly [format: string, title: string, document: JsonObject])[] = [
  [
    "twilio-studio",
    "a Twilio Studio flow",
    { states: [{ name: "Trigger", type: "trigger" }], initial_state: "Trigger" },
  ],
  [
    "amazon-connect",
    "an Amazon Connect flow",
    { Version: "2019-10-30", StartAction: "a", Actions: [{ Identifier: "a" }] },
  ],
  ["dialogflow-cx", "a Dialogflow CX agent", { files: { "agent.json": { startFlow: "a" }, "flows/a/a.json": {} } }],
  [
    "xlsform",
    "an XLSForm",
    {
      sheets: {
        survey: [
          ["type", "name"],
          ["text", "a"],
        ],
      },
    },
  ],
];

/** Runs an action that must throw, and returns the code and the message. */
function refusal(action: () => unknown): readonly [code: string, message: string] {
  try {
    action();
  } catch (error) {
    assert.ok(isCallweaveError(error) && error.hint !== "");
    return [error.code, error.message];
  }
  assert.fail("nothing was thrown");
}

test("importAgent() refuses a document of another tool by its name, alone and in an envelope", () => {
  for (const [title, ...documents] of OTHERS)
    for (const document of documents)
      for (const value of [document, JSON.stringify(document), [document].flat(), { data: document }]) {
        const wanted = ["other-tool", `Cannot import agent: it is ${title}`];
        assert.deepEqual(
          refusal(() => importAgent(value)),
          wanted,
          JSON.stringify(value),
        );
      }
});

test("importAgent() names the other tool even if a format is named that the document does not have", () => {
  const [[, n8n]] = [OTHERS[0] ?? []];
  for (const { name } of formats().filter(({ imports }) => imports))
    assert.equal(refusal(() => importAgent(n8n, { format: name }))[0], "other-tool", name);
});

test("a document of a tool that a format reads is named where another format or a call is asked for", async () => {
  for (const [own, title, document] of READ) {
    assert.equal(importAgent(document).format, own);
    const wanted = ["other-tool", `Cannot import agent: it is ${title}`];
    for (const { name } of formats().filter(({ imports, name }) => imports && name !== own))
      assert.deepEqual(
        refusal(() => importAgent(document, { format: name })),
        wanted,
        name,
      );
    const [read] = await readAll(JSON.stringify(document));
    assert.equal(read && "reason" in read ? read.reason : "", `it is ${title}, not a call`);
  }
});

test("a list of nodes, states or members is no evidence of any format", () => {
  const names = fc.constantFrom("id", "name", "label", "kind", "text", "title", "value", "next");
  const type = fc.constantFrom("start", "end", "function", "tool", "message", "code", "action", "global");
  const node = fc
    .record({ id: fc.string(), type, more: fc.dictionary(names, fc.string()) })
    .map(({ more, ...node }) => ({
      ...more,
      ...node,
    }));
  const edge = fc.record({ from: fc.string(), to: fc.string() });
  const lists = ["nodes", "states", "members", "steps", "blocks"];
  for (const key of lists)
    assert.equal(
      refusal(() => importAgent({ name: "x", [key]: [{ id: "a", type: "end" }] }))[0],
      "unknown-format",
      key,
    );
  const documents = fc.tuple(fc.constantFrom(...lists), fc.array(node, { minLength: 1 }), fc.option(fc.array(edge)));
  fc.assert(
    fc.property(documents, ([key, items, edges]) => {
      const document = { name: "x", [key]: items, ...(edges ? { edges } : {}) };
      assert.equal(refusal(() => importAgent(document))[0], "unknown-format", JSON.stringify(document));
      const byId = { [key]: Object.fromEntries(items.map((item) => [item.id, item])) };
      assert.equal(refusal(() => importAgent(byId))[0], "unknown-format", JSON.stringify(byId));
    }),
  );
});

test("a file of another tool is no call either, and its tool is named", async () => {
  for (const [title, ...documents] of OTHERS.slice(0, 20))
    for (const document of documents.filter((each) => !Array.isArray(each))) {
      const [read] = await readAll(JSON.stringify(document));
      assert.equal(read && "reason" in read ? read.reason : "", `it is ${title}, not a call`);
    }
});

test("other keys of an agent do not make it another tool's document", () => {
  const flow = { start_node_id: "a", nodes: [{ id: "a", type: "end", instruction: { type: "prompt", text: "Bye" } }] };
  const assistant = { model: { provider: "openai", model: "gpt-4o" }, firstMessage: "Hi" };
  for (const agent of [flow, assistant])
    for (const more of [{ version: 3 }, { data: {} }, { connections: [] }, { tools: [] }, { scripts: {} }])
      assert.ok(importAgent({ ...agent, ...more }).graph);
  for (const value of [null, 3, "n8n", [], [[]], { __proto__: null }]) assert.equal(otherDocument(value), undefined);
});

const CORPUS = new URL("../../../../shared/corpus/", import.meta.url);

test("published files of other platforms are told by name, and those of the formats are not taken for others", (t) => {
  if (!existsSync(CORPUS)) return t.skip("shared/corpus is not here");
  const read = (folder: string) =>
    readdirSync(new URL(folder, CORPUS))
      .filter((file) => file.endsWith(".json"))
      .map((file) => [file, parsedJson(readFileSync(new URL(`${folder}/${file}`, CORPUS), "utf8"))] as const);
  for (const folder of [
    "retell",
    "vapi",
    "negative",
    "voicetest/retell",
    "voicetest/vapi",
    "voicetest/telnyx",
    "bland",
    "pipecat",
    "elevenlabs",
    "voicetest/graphs",
    "telnyx",
  ])
    for (const [file, document] of read(folder)) assert.equal(otherTool(document), undefined, file);
});
