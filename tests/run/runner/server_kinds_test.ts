import assert from "node:assert/strict";
import { env } from "node:process";
import { test } from "node:test";
import type { LanguageModelMiddleware } from "ai";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { scenarios } from "../../../examples/help-desk/scenarios.ts";
import { offline, type RunReport, run } from "../../../mod.ts";
import { isRecord, madeOnce } from "../../../src/base/values/mod.ts";
import { type ChatAnswer, type ChatRequest, startChatServer } from "../../chat_server.ts";
import { ownPartOf } from "../../fast_check.ts";

type Params = Parameters<ReturnType<typeof offline>["doGenerate"]>[0];

/** How a server treats the answer of its model; `undefined`: the answer as it is. */
type Kind = (request: ChatRequest, answer: string, signature: string) => ChatAnswer | undefined;

const isStructured = ({ response_format }: ChatRequest) => response_format?.type === "json_schema";
const knowsShape = ({ messages }: ChatRequest) => JSON.stringify(messages).includes("It must fit this JSON Schema");

/** Refuses JSON schemas and takes JSON mode, whose answers keep to the schema if it is in the prompt. */
const refusing =
  (status: number, body: string): Kind =>
  (request) =>
    isStructured(request) ? { status, body } : undefined;

const EXPLAINING = ["reasoning", "confidence", "requirement", "evidence", "quote"];

function without(value: unknown, keys: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, keys));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (keys.includes(key) ? [] : [[key, without(each, keys)]])),
  );
}

const KINDS: { readonly [name: string]: Kind } = {
  "knows no JSON schema, and answers in prose until it reads one": (request, answer) =>
    isStructured(request) && !knowsShape(request)
      ? { say: `I would say: ${answer.replaceAll(/[{}[\]"]/g, "")}` }
      : undefined,
  "refuses JSON schemas by a message": refusing(
    400,
    '{"error":{"message":"response_format.type json_schema is not supported","type":"invalid_request_error"}}',
  ),
  "refuses JSON schemas by the place of a value": refusing(
    422,
    `{"detail":[{"type":"literal_error","loc":["body","response_format","type"],"msg":"Input should be 'text' or 'json_object'"}]}`,
  ),
  "refuses JSON schemas by a failure of its own": refusing(500, '{"error":"failed to compile grammar"}'),
  "refuses JSON schemas without a word": refusing(400, ""),
  "answers with prose around JSON": (_request, answer) => ({
    say: `Sure! Here is what {you} asked for:\n\n\`\`\`json\n${answer}\n\`\`\`\nLet me know if you need more.`,
  }),
  "leaves out keys that decide until it reads the schema": (request, answer) => {
    const [first] = Object.keys(JSON.parse(answer));
    return knowsShape(request) ? undefined : { say: JSON.stringify(without(JSON.parse(answer), first ? [first] : [])) };
  },
  "leaves out keys that only explain": (_request, answer) => ({
    say: JSON.stringify(without(JSON.parse(answer), EXPLAINING)),
  }),
};

/** Runs the help desk's scenarios on a server whose model answers as the offline model does. */
async function runOn(kind: Kind, concurrency: number | "auto") {
  const asked: Params[] = [];
  const model = offline();
  const signatures = new Map<string, number>();
  const answers = new Map<Params, Awaited<ReturnType<typeof model.doGenerate>>>();
  await using server = await startChatServer((request, index) => {
    const params = asked[Number(server.headers[index]?.["x-asked"])];
    const answer = params && answers.get(params);
    assert.ok(params && answer);
    const signature = String(params.providerOptions?.callweave?.signature);
    signatures.set(signature, (signatures.get(signature) ?? 0) + 1);
    const call = answer.content.find(({ type }) => type === "tool-call");
    if (call?.type === "tool-call") return { call: { name: call.toolName, arguments: JSON.parse(call.input) } };
    const text = answer.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (signature === "respond") return { say: text };
    return kind(request, text, signature) ?? { say: text };
  });
  const within: LanguageModelMiddleware = {
    specificationVersion: "v3",
    transformParams: async ({ params }) => {
      answers.set(params, await model.doGenerate(params));
      return { ...params, headers: { ...params.headers, "x-asked": String(asked.push(params) - 1) } };
    },
  };
  env.KINDS_BASE_URL = server.url;
  try {
    const report = await run(helpDesk, scenarios, {
      models: { agent: "kinds/m", caller: "kinds/m", judge: "kinds/m" },
      requests: { within: [within] },
      limits: { concurrency },
      store: false,
    });
    return { report, signatures };
  } finally {
    delete env.KINDS_BASE_URL;
  }
}

const verdictsOf = ({ results }: RunReport) =>
  results.map(({ scenario, status, errorMessage, nodesVisited, verdicts, checks }) => ({
    scenario,
    status,
    errorMessage,
    nodesVisited,
    verdicts: verdicts.map(({ criterion, score, passed }) => ({ criterion, score, passed })),
    checks: checks.map(({ expected, passed }) => ({ expected, passed })),
  }));

const runOnGood = madeOnce(() => runOn(() => undefined, "auto"));

for (const [name, kind] of ownPartOf(Object.entries(KINDS)))
  test(`the help desk's scenarios pass with the same verdicts on a server that ${name}`, async () => {
    const good = await runOnGood();
    assert.deepEqual(
      good.report.results.map(({ status, errorMessage }) => [status, errorMessage]),
      scenarios.map(() => ["pass", null]),
    );
    for (const concurrency of [1, "auto"] as const) {
      const { report, signatures } = await runOn(kind, concurrency);
      assert.deepEqual(verdictsOf(report), verdictsOf(good.report));
      for (const [signature, count] of signatures) {
        const most = (good.signatures.get(signature) ?? 0) + 1;
        assert.ok(
          count <= most,
          `${count} requests of "${signature}" instead of ${most} with concurrency ${concurrency}`,
        );
      }
    }
  });
