import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, type FormatName, importAgent } from "../../../platforms/mod.ts";
import { retellTables } from "../../../platforms/retell/mod.ts";
import { VAPI } from "../../../platforms/vapi/mod.ts";
import { check } from "../../../src/agent/check/mod.ts";
import { getAt } from "../../../src/base/values/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";

const PLATFORMS = ["retell", "retell-llm", "vapi-squad", "vapi-assistant"] as const;

test("names of tools are valid on every platform, stay different, and references follow", () => {
  const tool = (name: string) => ({ name, description: "Asks the server", url: `https://acme.test/${name.length}` });
  const failed = { type: "tool_call", value: "API Request", outcome: "failed" };
  const graph = parseGraph({
    entry_node_id: "ask",
    nodes: {
      ask: {
        state_prompt: 'Call "API Request" when the caller names a role.',
        tools: [tool("API Request"), tool("API_Request"), tool("予約"), tool("y".repeat(70))],
        transitions: [{ target_node_id: "sorry", condition: failed }],
      },
      sorry: { node_type: "end", state_prompt: "Say sorry." },
    },
  });
  for (const format of PLATFORMS) {
    const { config, losses } = emit(graph, format);
    const json = JSON.stringify(config);
    const renamed = losses.filter(({ code }) => code === "tool-renamed");
    assert.deepEqual(
      renamed.map(({ path }) => path.at(-1)),
      [0, 2, 3],
      format,
    );
    assert.equal(json.includes("API Request"), false, format);
    assert.equal(json.includes('Call \\"API_Request_2\\" when'), true, format);
    for (const name of ["API_Request", "API_Request_2", "tool"])
      assert.ok(json.includes(`"name":"${name}"`), `${format} ${name}`);
  }
});

test("an imported workflow's tool with an invalid name is renamed for Retell", () => {
  const tool = { type: "apiRequest", method: "POST", url: "https://acme.test" };
  const nodes = [
    { name: "ask", type: "conversation", isStart: true, prompt: "Ask for the role." },
    { name: "API Request", type: "tool", tool },
  ];
  const { graph } = importAgent({ name: "Desk", nodes, edges: [{ from: "ask", to: "API Request" }] });
  const { config } = emit(graph, "retell");
  assert.equal(getAt(config, ["conversationFlow", "tools", 0, "name"]), "API_Request");
});

const graphWith = (default_model: string) =>
  parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "Greet." } }, default_model });

function modelIn(model: string, format: FormatName) {
  const { config, losses } = emit(graphWith(model), format);
  const [path, found] = format.startsWith("vapi")
    ? [["model"], getAt(config, ["model"])]
    : [[], getAt(config, ["retellLlmData"])];
  const lost = losses.filter((loss) => loss.path[0] === "default_model").map(({ code, kind }) => `${code} ${kind}`);
  return { provider: getAt(found, [...path.slice(1), "provider"]), model: getAt(found, ["model"]), lost };
}

test("every model of Retell is written as Vapi lists it, or is a loss", () => {
  const lists = VAPI.settings.models().models;
  const lost = (retellTables().models.model ?? []).filter((name) => {
    const { provider, model, lost } = modelIn(name, "vapi-assistant");
    assert.ok(lists[String(provider)]?.includes(String(model)), `${name}: ${provider}/${model}`);
    return lost.length > 0;
  });
  assert.deepEqual(lost, ["gemini-3.5-flash-lite", "gemini-3.6-flash"]);
  const named = (name: string) => modelIn(name, "vapi-assistant").model;
  assert.equal(named("claude-4.6-sonnet"), "claude-sonnet-4-6");
  assert.equal(named("claude-4.5-haiku"), "claude-haiku-4-5-20251001");
  assert.equal(named("gemini-3.0-flash"), "gemini-3-flash-preview");
});

test("every model of Vapi is written as Retell lists it, or is a loss", () => {
  const known = retellTables().models.model ?? [];
  for (const [provider, names] of Object.entries(VAPI.settings.models().models))
    for (const name of names) {
      const { model, lost } = modelIn(`${provider}/${name}`, "retell-llm");
      assert.ok(model === undefined ? lost.length > 0 : known.includes(String(model)), `${provider}/${name}: ${model}`);
    }
  const named = (name: string) => modelIn(name, "retell-llm").model;
  assert.equal(named("anthropic/claude-sonnet-5"), "claude-5-sonnet");
  assert.equal(named("anthropic/claude-haiku-4-5-20251001"), "claude-4.5-haiku");
  assert.deepEqual(modelIn("openai/gpt-4.1-2025-04-14:westus", "retell-llm"), {
    provider: undefined,
    model: "gpt-4.1",
    lost: ["unknown-model emulated"],
  });
});

test("check() warns about a model of an imported assistant that Vapi does not list", () => {
  const messages = [{ role: "system", content: "Help." }];
  const found = (model: string) => {
    const { graph } = importAgent({ firstMessage: "Hello.", model: { provider: "openai", model, messages } });
    return check(graph).filter(({ code }) => code === "unknown-model");
  };
  assert.deepEqual(
    [found("gpt-4.1").length, found("gpt-of-tomorrow").map(({ severity }) => severity)],
    [0, ["warning"]],
  );
});
