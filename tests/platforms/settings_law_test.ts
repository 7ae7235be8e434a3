import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, formats } from "../../platforms/mod.ts";
import { retellTables } from "../../platforms/retell/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/graph/mod.ts";
import { getAt, type JsonObject, records } from "../../src/values/mod.ts";
import { fc } from "../properties.ts";

const SLOW = { timeout: 300_000 };
const GRAPHS = "Bun" in globalThis ? 500 : 50;

/** Formats that hold an agent: pictures draw its nodes only, and workflows are written back, but not made of graphs. */
const OTHERS = ["mermaid", "svg", "vapi-workflow"];
const AGENT_FORMATS = formats().filter(({ emits, name }) => emits && !OTHERS.includes(name));

const target = fc.constantFrom(
  "+14155550100",
  "+442079460018",
  "sip:desk@example.com",
  "{{desk_number}}",
  "01234 567890",
);
const destination = fc.oneof(
  target.map((to) => ({ to, more: { transfer_to: to } })),
  target.map((to) => ({
    to,
    more: { metadata: { retell: { transfer_destination: { type: "predefined", number: to } } } },
  })),
  target.map((to) => {
    const place = to.startsWith("sip:") ? { type: "sip", sipUri: to } : { type: "number", number: to };
    return { to, more: { metadata: { vapi: { destinations: [place] } } } };
  }),
  fc.constant({ to: undefined, more: { metadata: { crm: { to: "+15559999999", phone_number: "12345" } } } }),
);

const toolName = fc.constantFrom(
  "look_up",
  "API Request",
  "söker kund",
  "a".repeat(70),
  "look up",
  "look-up",
  "Look Up",
);
const tool = fc.record({
  name: toolName,
  description: fc.constantFrom("Finds the order", "Books a {{day}}"),
  type: fc.constant("custom"),
  url: fc.constantFrom("https://example.com/a", "https://example.com/b"),
  parameters: fc.constant({ type: "object", properties: { id: { type: "string" } } }),
});

const graphs = fc
  .record({
    destination,
    tools: fc.uniqueArray(tool, { maxLength: 3, selector: ({ name }) => name }),
    language: fc.option(fc.constantFrom("en-US", "de-DE", "pt-BR", "xx-YY"), { nil: undefined }),
    voice: fc.option(fc.constantFrom({ retell: "11labs-Adrian" }, { vapi: { provider: "vapi", voiceId: "Elliot" } }), {
      nil: undefined,
    }),
    model: fc.option(
      fc.constantFrom(...(retellTables().models.model ?? []), "anthropic/claude-sonnet-4-6", "openai/gpt-none"),
      { nil: undefined },
    ),
    template: fc.constantFrom("{{caller_name}}", "{{order_id}}"),
  })
  .map(({ destination: { to, more }, tools, language, voice, model, template }) => ({
    to,
    template,
    graph: parseGraph({
      entry_node_id: "greet",
      ...(model === undefined ? {} : { default_model: model }),
      source_metadata: { ...(language ? { language } : {}), ...(voice ? { voice } : {}) },
      nodes: {
        greet: {
          state_prompt: `Greet ${template}.`,
          tools,
          transitions: [{ target_node_id: "desk", condition: { type: "llm_prompt", value: "Caller wants a person" } }],
        },
        desk: { node_type: "transfer", ...more },
      },
    }),
  }));

/** What an emitted document holds: its texts, without the copy of the graph that some formats keep for reading back. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, own]) => (key === "callweave" ? [] : [key, ...textsOf(own)]));
}

/** Emits a graph, and says whether a setting is in the document, or named in the losses. */
function emitted(graph: AgentGraph, name: string) {
  const { config, losses } = emit(graph, formats().find((each) => each.name === name)?.name ?? name, {});
  const texts = textsOf(config);
  const has = (text: string) => texts.some((each) => each.includes(text));
  const isLost = (...path: readonly (string | number)[]) =>
    losses.some((loss) => path.every((key, index) => loss.path[index] === key));
  return { texts, has, isLost, losses };
}

for (const { name } of AGENT_FORMATS)
  test(
    `${name}: transfers, voices, languages, models, tools and templates are in the document or in losses`,
    SLOW,
    () => {
      fc.assert(
        fc.property(graphs, ({ graph, to, template }) => {
          const { has, isLost, losses } = emitted(graph, name);
          const said = JSON.stringify(losses);
          if (to !== undefined) assert.ok(has(to) || isLost("nodes", "desk"), `destination ${to}: ${said}`);
          assert.ok(!has("+15559999999") || name === "voicetest", "a number of other metadata is no destination");
          if (to === undefined && name !== "voicetest")
            assert.ok(
              losses.some(({ code }) => code === "destination-missing"),
              said,
            );
          const { language, voice } = graph.source_metadata as JsonObject;
          if (typeof language === "string")
            assert.ok(has(language) || has(language.slice(0, 2)) || isLost("source_metadata", "language"), said);
          if (voice) {
            const [id] = textsOf(voice).slice(-1);
            assert.ok(has(id ?? "") || isLost("source_metadata", "voice"), `voice ${id}: ${said}`);
          }
          const model = graph.default_model?.split("/").at(-1);
          if (model !== undefined) {
            const words = model.split(/[-.]/).filter((part) => /^[a-z]{3,}$/.test(part));
            const isFound = has(model) || words.every(has);
            assert.ok(isFound || isLost("default_model"), `model ${model}: ${said}`);
          }
          for (const [index, each] of (graph.nodes.greet?.tools ?? []).entries()) {
            const isTold = isLost("nodes", "greet", "tools", index);
            assert.ok(has(each.name) || isTold, `tool ${each.name}: ${said}`);
            assert.ok(has(each.url ?? "") || isTold, `URL of ${each.name}: ${said}`);
          }
          assert.ok(
            has(template) || has(template.replace("{{", "{{ ").replace("}}", " }}")) || isLost("nodes", "greet"),
          );
        }),
        { numRuns: GRAPHS },
      );
    },
  );

test("a renamed tool is renamed wherever it is named, and two names stay two", () => {
  const called = { type: "tool_call", value: "API Request", outcome: "succeeded" };
  const graph = parseGraph({
    entry_node_id: "a",
    nodes: {
      a: {
        node_type: "function",
        tools: [{ name: "API Request", type: "custom", url: "https://example.com" }],
        transitions: [{ target_node_id: "b", condition: called }],
      },
      b: { node_type: "function", tools: [{ name: "API request", type: "custom", url: "https://example.org" }] },
    },
  });
  const { config, losses } = emit(graph, "retell");
  const names = records(getAt(config, ["conversationFlow", "tools"])).map(({ name }) => name);
  assert.equal(new Set(names).size, 2);
  for (const each of names) assert.match(String(each), /^[\w-]{1,64}$/);
  assert.equal(losses.filter(({ code }) => code === "name-changed").length, 2);
});

test("a model is written by the target's own name, or is a loss", () => {
  const modelOf = (model: string) => {
    const graph = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "Hi" } }, default_model: model });
    const { config, losses } = emit(graph, "vapi-assistant");
    return [getAt(config, ["model", "model"]), losses.map(({ code }) => code)];
  };
  assert.deepEqual(modelOf("claude-4.6-sonnet"), ["claude-sonnet-4-6", []]);
  assert.deepEqual(modelOf("claude-4.5-haiku"), ["claude-haiku-4-5-20251001", []]);
  assert.deepEqual(modelOf("gemini-3.0-flash"), ["gemini-3-flash-preview", []]);
  assert.deepEqual(modelOf("gemini-9-flash"), ["gpt-4.1", ["unknown-model"]]);
  const back = parseGraph({
    entry_node_id: "a",
    nodes: { a: {} },
    default_model: "anthropic/claude-haiku-4-5-20251001",
  });
  assert.equal(getAt(emit(back, "retell").config, ["conversationFlow", "model_choice", "model"]), "claude-4.5-haiku");
});
