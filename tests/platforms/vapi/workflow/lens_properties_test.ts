import assert from "node:assert/strict";
import { test } from "node:test";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { sameJson } from "../../../../src/base/values/mod.ts";
import { fc } from "../../../properties.ts";
import { mutants } from "../../mutate.ts";
import { corpus, hasShared, WITHOUT_SHARED } from "../compile/vapi_schema.ts";
import { DOCUMENTS, emitted, imported, saved } from "./documents.ts";

/** Timeout for generated documents, which take long on a busy machine. */
const SLOW = { timeout: 120_000 };
const name = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "lost");
const word = fc.oneof(fc.string(), fc.constantFrom("", "{{ x == 'y' }}", "Caller agrees"));
const extra = fc.dictionary(fc.constantFrom("metadata", "voice", "unheard_of", "label"), fc.jsonValue(), {
  maxKeys: 2,
  noNullPrototype: true,
});
const condition = fc.oneof(
  fc.constantFrom(undefined, null, {}, { type: "failed" }, { type: "someday", value: 1 }),
  word,
  fc.record({ type: fc.constantFrom("ai", "semantic"), prompt: word }),
  fc.record({ type: fc.constant("ai"), matches: fc.array(word) }),
  fc.record({
    type: fc.constant("logic"),
    liquid: fc.constantFrom("{{ x }}", "x > 3", "{% if a == 'b' or c != nil %}true{% endif %}", ""),
  }),
);
const edge = fc.oneof(
  fc.tuple(fc.record({ from: name, to: name, condition }), extra).map(([own, rest]) => ({ ...rest, ...own })),
  fc.constantFrom(null, 7, "edge", { from: "a" }),
);
const tool = fc.record({
  type: fc.constantFrom("endCall", "transferCall", "apiRequest", "function", "sms"),
  name: word,
  url: fc.constantFrom("https://example.com", ""),
  function: fc.record({ name: fc.constantFrom("untitled_tool", "find"), description: word }),
  messages: fc.constantFrom([], null, [{ type: "request-start", content: "Wait." }]),
});
const plan = fc.constantFrom(
  { output: [{ title: "x", type: "string", enum: [] }, "y", null] },
  { schema: { type: "object", properties: { x: { type: "number" } } }, aliases: [] },
  { output: [] },
  null,
);
const node = fc.oneof(
  fc
    .tuple(
      fc.record(
        {
          name,
          type: fc.constantFrom(
            "conversation",
            "tool",
            "say",
            "gather",
            "apiRequest",
            "hangup",
            "transfer",
            "Say",
            "novelty",
          ),
          prompt: fc.oneof(word, fc.constant(null)),
          exact: word,
          isStart: fc.constantFrom(true, false, null),
          tool,
          toolIds: fc.constantFrom([], ["tool-1"], null),
          tools: fc.array(tool, { maxLength: 2 }),
          variableExtractionPlan: plan,
          messagePlan: fc.constantFrom({ firstMessage: "Hi" }, { firstMessage: "" }, null),
          globalNodePlan: fc.constantFrom(
            { enabled: true, enterCondition: "x" },
            { enabled: true, enterCondition: "" },
            { enabled: false, enterCondition: "x" },
          ),
        },
        { requiredKeys: ["name", "type"] },
      ),
      extra,
    )
    .map(([own, rest]) => ({ ...rest, ...own })),
  fc.constantFrom(null, "node"),
);
const workflow = fc
  .record(
    {
      nodes: fc.array(node, { maxLength: 4 }).map((list) => [{ name: "first", type: "conversation" }, ...list]),
      edges: fc.array(edge, { maxLength: 6 }),
      globalPrompt: fc.oneof(word, fc.constant(null)),
      model: fc.constantFrom({ provider: "openai", model: "gpt-4o" }, { model: "x" }, null),
      unheard_of: fc.jsonValue(),
    },
    { requiredKeys: ["nodes", "edges"] },
  )
  .map((document): unknown => JSON.parse(JSON.stringify(document)));

test("emit() returns every imported workflow unchanged", SLOW, () => {
  fc.assert(
    fc.property(workflow, (document) => assert.deepEqual(emitted(imported(document)), document)),
    { numRuns: 500 },
  );
});

test("importing an emitted graph returns its prompts", SLOW, () => {
  fc.assert(
    fc.property(workflow, word, fc.nat(), (document, prompt, pick) => {
      const graph = imported(document);
      const editable = Object.values(graph.nodes).filter(({ node_type }) => node_type === "conversation");
      const chosen = editable[pick % editable.length];
      const edited = chosen
        ? { ...graph, nodes: { ...graph.nodes, [chosen.id]: { ...chosen, state_prompt: prompt } } }
        : graph;
      const again = imported(emitted(edited));
      const prompts = (each: typeof graph) =>
        Object.entries(each.nodes).map(([id, { state_prompt }]) => [id, state_prompt]);
      const wanted = chosen?.instruction_type === "static_text" && prompt === "" ? undefined : prompts(edited);
      if (wanted) assert.deepEqual(prompts(again), wanted);
    }),
    { numRuns: 300 },
  );
});

test(
  "import() accepts or rejects every damaged workflow with a typed error, and emit() returns it unchanged",
  SLOW,
  (t) => {
    const real = hasShared ? corpus("vapi", ["vapi-squad", "vapi-assistant"]).map(({ graph }) => emitted(graph)) : [];
    if (real.length === 0) t.diagnostic(WITHOUT_SHARED);
    const count = fc.sampled(1500);
    let refused = 0;
    for (const damaged of mutants([...DOCUMENTS.map(([, each]) => each), ...real], count)) {
      const document: unknown = JSON.parse(JSON.stringify(damaged) ?? "null");
      try {
        const { graph } = importAgent(document, { format: "vapi-workflow" });
        const { config } = emit(saved(graph), "vapi-workflow");
        assert.ok(sameJson(config, document), JSON.stringify(document).slice(0, 300));
      } catch (error) {
        if (!isCallweaveError(error)) throw error;
        assert.ok(error.hint);
        refused++;
      }
    }
    assert.ok(refused < 0.6 * count, "most damaged workflows can still be imported");
  },
);
