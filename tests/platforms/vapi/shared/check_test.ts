import assert from "node:assert/strict";
import { test } from "node:test";
import { check, flow } from "../../../../mod.ts";
import type { Format } from "../../../../platforms/platform.ts";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { clinicSquad } from "./documents.ts";
import { imported } from "./lens.ts";

function findings(document: unknown, format: Format = vapiSquad): [code: string, severity: string, path: string][] {
  const found = format.checkGraph?.(imported(format, document), document) ?? [];
  for (const { message, hint } of found) assert.ok(message && hint);
  return found.map(({ code, severity, path }) => [code, severity, path.join(".")]);
}

/** A squad of two members; the first one has the given keys and tools. */
function squad(assistant: object = {}, tools: readonly unknown[] = []) {
  const model = { provider: "openai", model: "gpt-4o", messages: [{ role: "system", content: "Help." }], tools };
  return { members: [{ assistant: { name: "A", model, ...assistant } }, { assistant: { name: "B", model } }] };
}

const handoff = (fields: object) => ({
  type: "handoff",
  destinations: [{ type: "assistant", description: "So", ...fields }],
});
const named = (name: string, fields: object = {}) => ({ type: "function", function: { name }, ...fields });

test("checkGraph() has no findings for a plain squad", () => {
  assert.deepEqual(findings(squad({}, [named("look_up"), handoff({ assistantName: "B" })])), []);
});

test("checkGraph() finds names that Vapi rejects", () => {
  const long = "a".repeat(41);
  assert.deepEqual(findings(squad({ name: long })), [
    ["assistant-name-length", "error", `nodes.${long}.assistant.name`],
  ]);
  assert.deepEqual(findings(squad({ name: "B" })), [["assistant-name-duplicate", "error", "nodes.B_2"]]);
  assert.deepEqual(findings(squad({}, [named("look up")]))[0], ["function-name", "error", "nodes.A.tools.0"]);
  assert.deepEqual(findings(squad({}, [named("a".repeat(65))]))[0], ["function-name", "error", "nodes.A.tools.0"]);
  const request = { type: "apiRequest", name: long, url: "https://a.example", method: "GET" };
  assert.deepEqual(findings(squad({}, [request]))[0], ["function-name", "error", "nodes.A.tools.0"]);
});

test("checkGraph() finds texts that are too long, and numbers out of range", () => {
  const words = "a".repeat(1001);
  const aliases = [
    { key: "a-b", value: "{{ x | upcase }}" },
    { key: "ok", value: "a".repeat(10_001) },
  ];
  const tools = [
    named("one", { messages: [{ type: "request-start", content: words }] }),
    { type: "function", function: { name: "two", description: words } },
    named("three", { variableExtractionPlan: { aliases } }),
    { type: "code", function: { name: "four" }, code: "a".repeat(50_001) },
  ];
  const first = findings(squad({}, tools)).filter(([, , path]) => path.startsWith("nodes.A"));
  assert.deepEqual(first, [
    ["message-length", "error", "nodes.A.tools.0"],
    ["alias-name", "error", "nodes.A.tools.2"],
    ["alias-length", "error", "nodes.A.tools.2"],
    ["code-length", "error", "nodes.A.tools.3"],
    ["description-length", "warning", "nodes.A.tools.1"],
  ]);
  const settings = { voicemailMessage: words, endCallPhrases: ["a", "bye"], maxDurationSeconds: 5 };
  assert.deepEqual(
    findings(squad(settings)).map(([code]) => code),
    ["message-length", "end-call-phrase", "number-range"],
  );
});

test("checkGraph() finds handoffs to unknown assistants and handoffs without a description", () => {
  assert.deepEqual(findings(squad({}, [handoff({ assistantName: "C" })]))[0], [
    "unknown-assistant",
    "error",
    "nodes.A",
  ]);
  const byId = findings(squad({}, [handoff({ assistantId: "saved" })]));
  assert.deepEqual(byId[0]?.slice(0, 2), ["unknown-assistant", "warning"]);
  const silent = findings(squad({}, [handoff({ assistantName: "B", description: "" })]));
  assert.deepEqual(silent[0]?.slice(0, 2), ["handoff-undescribed", "warning"]);
  const byIdAlone = {
    members: [{ assistantId: "a", assistantDestinations: [{ type: "assistant", assistantName: "B" }] }],
  };
  assert.deepEqual(findings(byIdAlone)[0]?.slice(0, 2), ["unknown-assistant", "warning"]);
});

test("checkGraph() finds two tools with the same name, and a repeated greeting", () => {
  assert.deepEqual(findings(squad({}, [named("x"), named("x")]))[0]?.slice(0, 2), ["tool-duplicate", "warning"]);
  const codes = findings(clinicSquad()).map(([code]) => code);
  assert.ok(codes.includes("repeated-greeting"));
});

test("checkGraph() finds unknown keys, except those that Vapi's servers add", () => {
  const found = findings({ ...squad({ id: "a", orgId: "o", silenceTimeoutSeconds: 5 }), orgId: "o" });
  assert.deepEqual(found, [["unknown-key", "warning", "nodes.A.assistant.silenceTimeoutSeconds"]]);
});

test("checkGraph() finds placeholders that are not Liquid, also in assistants", () => {
  const prompt = '{{date & time}} {{ name | default: "you" }} {{customer.number}} {{"now" | date: "%b %d"}}';
  const document = {
    name: "A",
    model: { provider: "openai", model: "gpt-4o", messages: [{ role: "system", content: prompt }] },
  };
  assert.deepEqual(findings(document, vapiAssistant), [["malformed-liquid", "warning", "nodes.A.state_prompt"]]);
});

test("check() finds a repeated greeting only if handoffs do not override the first message", () => {
  const shop = flow("shop", { beginMessage: "Hello, this is the shop." })
    .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("help", "Caller has a question")] })
    .conversation("help", { prompt: "Help.", next: ({ to }) => [to("greet", "Caller wants to start over")] })
    .compile();
  const codes = check(shop, { target: "vapi-squad" }).map(({ code }) => code);
  assert.deepEqual(codes.includes("repeated-greeting"), false);

  const back = (fields: object) => {
    const model = { provider: "openai", model: "gpt-4o", tools: [handoff({ assistantName: "A", ...fields })] };
    return findings({
      members: [{ assistant: { name: "A", firstMessage: "Hello!" } }, { assistant: { name: "B", model } }],
    }).map(([code]) => code);
  };
  assert.deepEqual(back({}), ["repeated-greeting"]);
  assert.deepEqual(back({ assistantOverrides: { firstMessage: "" } }), []);
});
