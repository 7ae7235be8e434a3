import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Conversion, convert } from "../../../api/platforms.ts";
import { type FormatName, flow, formats, importAgent, number } from "../../../mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { isRecord } from "../../../src/base/values/mod.ts";
import { extractSecrets } from "../../../src/document/secrets/mod.ts";
import { someOf } from "../../fast_check.ts";

const CORPUS = new URL("../../../../shared/corpus/", import.meta.url);
const TARGETS = formats().flatMap(({ name, emits }) => (emits ? [name] : []));
const KEY = "sk-proj-T3BlbkFJ0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1w";

const SHOP = flow("shop", { variables: { age: number("Age of the caller") }, beginMessage: "Hello" })
  .conversation("ask", {
    prompt: "Ask for the age.",
    next: ({ to, otherwise }) => [
      to("read", "Caller gives their age"),
      to("desk", "Caller wants a person"),
      otherwise("ask"),
    ],
  })
  .extract("read", { fills: ["age"], next: ({ to }) => [to("route")] })
  .logic("route", { next: ({ to, when, otherwise }) => [to("bye", when("age", ">=", 18)), otherwise("ask")] })
  .global("help", { when: "Caller asks for help", goBack: "Caller goes on", prompt: "Help." })
  .transfer("desk", { to: "+14155550100" })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

interface Document {
  readonly name: string;
  readonly text: string;
}

function documents(): readonly Document[] {
  if (!existsSync(CORPUS)) return [];
  return readdirSync(CORPUS, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name.replaceAll("\\", "/"), CORPUS), "utf8") }));
}

/** The conversion of a document, or the code of its error, which is one of Callweave's. */
function converted(text: string, to: FormatName, from?: FormatName): Conversion | string {
  try {
    return convert(text, { to, ...(from === undefined ? {} : { from }) });
  } catch (error) {
    if (isCallweaveError(error)) return error.code;
    throw error;
  }
}

/** The values of a document that are keys, tokens and passwords. */
function secretsOf(text: string): readonly string[] {
  const { graph } = importAgent(text);
  const { variables } = extractSecrets(graph);
  const values = variables.map(({ name }) => name);
  const taken = new Set(values);
  const { graph: bare } = extractSecrets(graph);
  return textsThatDiffer(graph, bare).filter((value) => value.length >= 12 && !taken.has(value));
}

/** Texts of a value that another one has not at the same place. */
function textsThatDiffer(value: unknown, other: unknown): readonly string[] {
  if (typeof value === "string")
    return value === other || !String(other).includes("{{env:") ? [] : cut(value, String(other));
  if (Array.isArray(value))
    return value.flatMap((item, index) => textsThatDiffer(item, Array.isArray(other) ? other[index] : undefined));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "original" ? [] : textsThatDiffer(item, isRecord(other) ? other[key] : undefined),
  );
}

/** The part of a text that a reference stands for. */
function cut(text: string, withReference: string): readonly string[] {
  const [before = "", after = ""] = withReference.split(/\{\{env:\w+\}\}/);
  const isOne = text.startsWith(before) && text.endsWith(after);
  return isOne ? [text.slice(before.length, text.length - after.length)] : [];
}

/** Everything of a conversion that a person reads or stores. */
const reportOf = ({ graph, changes, constructs, decisions, secrets, findings, text, config }: Conversion) =>
  JSON.stringify([graph, changes, constructs, decisions, secrets, findings, text, config]);

function assertListed({ constructs }: Conversion, where: string): void {
  const paths = constructs.map(({ path }) => JSON.stringify(path));
  assert.equal(new Set(paths).size, paths.length, `${where}: a part is listed twice`);
}

test("every document of the corpora is converted to every format: typed errors, no secret, each part once", {
  skip: existsSync(CORPUS) ? false : "there is no ../shared/corpus",
  timeout: 600_000,
}, () => {
  let [done, refused, secrets] = [0, 0, 0];
  for (const { name, text } of someOf(documents())) {
    const first = converted(text, "graph");
    const hidden = typeof first === "string" ? [] : secretsOf(text);
    secrets += hidden.length;
    for (const to of TARGETS) {
      const result = converted(text, to);
      if (typeof result === "string") {
        refused++;
        continue;
      }
      done++;
      const where = `${name} to ${to}`;
      assertListed(result, where);
      const report = reportOf(result);
      for (const value of hidden)
        assert.ok(!report.includes(JSON.stringify(value).slice(1, -1)), `${where} has a secret`);
      for (const { path, state } of result.changes) {
        const own = result.constructs.find((each) => JSON.stringify(each.path) === JSON.stringify(path));
        if (own) assert.notEqual(own.state, "exact", `${where}: ${path.join(".")} is ${state}`);
      }
    }
  }
  assert.ok(done > 50, `${done} conversions, ${refused} refused, ${secrets} secrets`);
});

test("every document is refused as every other format with a typed error, or read", {
  skip: existsSync(CORPUS) ? false : "there is no ../shared/corpus",
  timeout: 600_000,
}, () => {
  const small = documents().filter(({ text }) => text.length < 20_000);
  for (const { name, text } of someOf(small))
    for (const from of formats().flatMap((each) => (each.imports ? [each.name] : [])))
      try {
        const { constructs } = convert(text, { to: "retell", from });
        assert.ok(constructs.length > 0, `${name} as ${from}`);
      } catch (error) {
        assert.ok(isCallweaveError(error), `${name} as ${from}: ${String(error)}`);
      }
});

test("an agent goes from every format to every other one", () => {
  const sources = formats().filter(
    ({ name, imports }) => imports && TARGETS.includes(name) && name !== "vapi-workflow",
  );
  for (const { name: from } of sources)
    for (const to of TARGETS) {
      const { text } = convert(SHOP, { to: from });
      const result = converted(text, to, from);
      if (to === "vapi-workflow") assert.equal(typeof result, "string");
      else if (typeof result === "string") assert.fail(`${from} to ${to}: ${result}`);
      else assertListed(result, `${from} to ${to}`);
    }
});

/** Agents with a key in each place that a platform has for one. */
const WITH_KEYS: { readonly [format: string]: (key: string) => object } = {
  retell: (key) => ({
    start_node_id: "a",
    start_speaker: "agent",
    tools: [
      {
        type: "custom",
        tool_id: "t",
        name: "t",
        url: `https://acme.test/x?api_key=${key}`,
        headers: { Authorization: `Bearer ${key}` },
      },
    ],
    nodes: [{ id: "a", type: "conversation", instruction: { type: "prompt", text: `Never say ${key}.` } }],
  }),
  "vapi-assistant": (key) => ({
    name: "A",
    model: {
      provider: "openai",
      model: "gpt-4o",
      messages: [{ role: "system", content: "Help." }],
      tools: [{ type: "function", function: { name: "t" }, server: { url: "https://acme.test", secret: key } }],
    },
    server: { url: "https://acme.test", headers: { "x-api-key": key } },
  }),
  elevenlabs: (key) => ({
    name: "A",
    conversation_config: {
      agent: {
        first_message: "Hi",
        prompt: {
          prompt: "Help.",
          tools: [
            {
              type: "webhook",
              name: "t",
              description: "T",
              api_schema: { url: "https://acme.test", request_headers: { Authorization: `Bearer ${key}` } },
            },
          ],
        },
      },
    },
  }),
};

for (const [format, document] of Object.entries(WITH_KEYS))
  test(`no key of an agent of ${format} is in its conversion to any format`, () => {
    for (const to of TARGETS) {
      const result = converted(JSON.stringify(document(KEY)), to);
      if (typeof result === "string") continue;
      assert.ok(!reportOf(result).includes(KEY), to);
      assert.ok(result.secrets.length > 0, to);
      assertListed(result, to);
    }
  });
