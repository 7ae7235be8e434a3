import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { PlatformError } from "../../../src/base/errors.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { extractSecrets, restoreSecrets } from "../../../src/document/secrets/mod.ts";
import { fc } from "../../properties.ts";

const AGENT = {
  agent_name: "Desk",
  voice_id: "v",
  webhook_url: "https://example.com/hook?token=abc",
  response_engine: { type: "retell-llm", llm_id: "" },
  retellLlmData: {
    general_prompt: "Help.",
    mcps: [{ name: "crm", url: "https://x.com", headers: { "X-Api-Key": "k-1" } }],
    general_tools: [
      { type: "book_appointment_cal", name: "book", cal_api_key: "cal-1", event_type_id: 1 },
      { type: "custom", name: "find", url: "https://u:p@x.com/?key=123456", headers: { Authorization: "Bearer b-1" } },
    ],
  },
};

test("emit() with an environment restores the document", () => {
  const { graph, format } = importAgent(AGENT);
  const { graph: clean, values } = extractSecrets(graph);
  assert.deepEqual(emit(parseGraph(JSON.parse(JSON.stringify(clean))), format, { env: values }).config, AGENT);
  for (const secret of ["token=abc", "k-1", "cal-1", ":p@", "123456", "b-1"])
    assert.ok(!JSON.stringify(clean).includes(secret), secret);
});

test("emit() without an environment keeps the references", () => {
  const { graph, format } = importAgent(AGENT);
  const { config } = emit(extractSecrets(graph).graph, format);
  assert.match(JSON.stringify(config), /Bearer \{\{env:FIND_AUTHORIZATION\}\}/);
});

test("emit() names every variable that is not set, and accepts an empty one", () => {
  const { graph, format } = importAgent(AGENT);
  const { graph: clean, values } = extractSecrets(graph);
  const env = { ...values, BOOK_CAL_API_KEY: undefined, FIND_AUTHORIZATION: undefined, CRM_X_API_KEY: "" };
  assert.throws(
    () => emit(clean, format, { env }),
    (error) => {
      assert.ok(error instanceof PlatformError);
      assert.equal(error.code, "missing-variable");
      assert.equal(error.issues.length, 2);
      assert.deepEqual(error.path, ["nodes", "main", "tools", 0, "metadata", "retell", "cal_api_key"]);
      assert.match(error.hint, /^Set BOOK_CAL_API_KEY, FIND_AUTHORIZATION, which /);
      assert.match(error.message, /variables "BOOK_CAL_API_KEY", "FIND_AUTHORIZATION" are not set$/);
      return true;
    },
  );
});

test("restoreSecrets() ignores inherited names and references inside values", () => {
  const graph = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "{{env:A}} {{ env:B }}" } } });
  const restored = restoreSecrets(graph, { A: "{{env:B}} $&", B: "b" }, { allowed: ["A", "B"] });
  assert.equal(restored.graph.nodes.a?.state_prompt, "{{env:B}} $& b");
  const inherited = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "{{env:toString}}" } } });
  assert.throws(() => restoreSecrets(inherited, {}, { allowed: ["toString"] }), { code: "missing-variable" });
});

test("restoreSecrets() undoes extractSecrets() for any metadata", () => {
  const key = fc.constantFrom("token", "Authorization", "headers", "url", "api_key", "value", "name", "__proto__", "x");
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "Bearer abcdefgh1",
      "https://u:p@x.com/?token=1&b={{c}}",
      "sk-abcdefghijklmnop12",
      "{{v}}",
      "abcdefgh1",
    ),
  );
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: "small" },
      text,
      fc.array(tie("json")),
      fc.dictionary(key, tie("json"), { noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(json, text, (value, prompt) => {
      const tools = [{ name: "token", url: prompt, metadata: { retell: { value } } }];
      const graph = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: prompt, tools } } });
      const { graph: clean, values } = extractSecrets(graph);
      assert.deepEqual(restoreSecrets(clean, values), { graph, left: [] });
    }),
    { numRuns: 100 },
  );
});

const CORPUS = ["retell", "vapi"].map((folder) => new URL(`../../../../shared/corpus/${folder}/`, import.meta.url));

test("emit() with an environment restores every real document", (t) => {
  const folders = CORPUS.filter((folder) => existsSync(folder));
  if (folders.length === 0) return t.skip("shared/corpus is not here");
  for (const folder of folders)
    for (const name of fc.someOf(readdirSync(folder).filter((file) => file.endsWith(".json")))) {
      const text = readFileSync(new URL(name, folder), "utf8");
      let imported: ReturnType<typeof importAgent>;
      try {
        imported = importAgent(text);
      } catch (error) {
        if (error instanceof PlatformError) continue; // no agent, which is another test's business
        throw error;
      }
      const { graph: clean, values } = extractSecrets(imported.graph);
      const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
      const before = plain(emit(imported.graph, imported.format).config);
      assert.deepEqual(plain(emit(clean, imported.format, { env: values }).config), before, name);
    }
});
