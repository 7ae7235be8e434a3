import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { test } from "node:test";
import { formatGithubSummary, formatHtml, formatJunit, formatReport } from "../../../api/reporters.ts";
import { choice, flow, type RunOptions, run, scenario, tool } from "../../../mod.ts";
import { createRecordings, fileRecordings } from "../../../src/call/models/mod.ts";
import { type ChatRequest, startChatServer } from "../../chat_server.ts";

const shop = flow("shop", {
  prompt: "You sell shirts.",
  variables: { size: choice("Size of the shirt", ["small", "large"]) },
  tools: [
    tool({
      name: "order",
      description: "Orders a shirt",
      parameters: { type: "object", properties: { size: { type: "string" } } },
    }),
  ],
})
  .conversation("greet", { prompt: "Ask for the size.", next: ({ to }) => [to("read", "The caller names a size")] })
  .extract("read", { fills: ["size"], next: ({ to, when }) => [to("buy", when("size", "==", "large")), to("bye")] })
  .function("buy", { tool: "order", next: ({ to }) => [to("bye")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
const buys = scenario("buys", shop)
  .persona("You want a large shirt.")
  .mock("order", { ok: true })
  .visits("bye")
  .judge("The agent says goodbye");

const textOf = ({ messages }: ChatRequest) => JSON.stringify(messages);

/** The answer to a request, by the instructions of its signature. */
function answerTo(request: ChatRequest): object | string {
  const text = textOf(request);
  const decision = { objectives_complete: true, transition_to: "read" };
  if (text.includes("You route a phone call")) return decision;
  if (text.includes("moving between states")) return { ...decision, reply: "Goodbye." };
  if (text.includes("You read a phone call and fill in")) return { size: "large" };
  if (text.includes("You fill in the arguments")) return { size: "large" };
  if (text.includes("You play a caller")) return { message: "Large, please", should_end: false };
  if (text.includes("You judge a phone call"))
    return { verdicts: [{ number: 1, score: 1, evidence: "agent: Goodbye" }] };
  if (text.includes("You judge the path")) {
    const numbers = [...new Set([...text.matchAll(/\\"step\\":(\d+)/g)].map(([, number]) => Number(number)))];
    return { steps: numbers.map((step) => ({ step, right: true })), score: 1 };
  }
  return text.includes("Say goodbye") ? "Goodbye." : "Which size?";
}

/** A server that refuses every way of asking for structured answers but plain text. */
const startPlainServer = () =>
  startChatServer((request) => {
    const format = request.response_format?.type ?? (request.tools ? "tools" : undefined);
    if (format !== undefined)
      return { status: 400, body: JSON.stringify({ error: { message: `${format} is not supported` } }) };
    const answer = answerTo(request);
    return { say: typeof answer === "string" ? answer : `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`` };
  });

async function runAt(url: string, options: RunOptions = {}) {
  const before = env.PLAINSERVER_BASE_URL;
  env.PLAINSERVER_BASE_URL = url;
  try {
    return await run(shop, [buys], {
      models: { agent: "plainserver/m", caller: "plainserver/m", judge: "plainserver/m" },
      judging: { flow: true },
      store: false,
      ...options,
    });
  } finally {
    if (before === undefined) delete env.PLAINSERVER_BASE_URL;
    else env.PLAINSERVER_BASE_URL = before;
  }
}

for (const turn of ["split", "speculative", "fused"] as const) {
  test(`a run works on a server without structured answers, in turn mode ${turn}`, async () => {
    await using server = await startPlainServer();
    const report = await runAt(server.url, { turn, repeat: { times: 4 } });
    assert.deepEqual(
      report.results.map(({ status, errorMessage }) => [status, errorMessage]),
      Array(4).fill(["pass", null]),
    );
    const refused = server.requests.filter(({ response_format, tools }) => response_format || tools);
    assert.equal(refused.length, 3);
    assert.deepEqual(report.modelNotices?.length, 1);
  });
}

test("reports say once that a model's server refuses JSON schemas", async () => {
  await using server = await startPlainServer();
  const report = await runAt(server.url, { repeat: { times: 2 } });
  for (const text of [formatReport(report), formatJunit(report), formatGithubSummary(report), formatHtml(report)])
    assert.equal(text.replaceAll(/\s+/g, " ").split("refuses JSON schemas").length, 2, text.slice(-900));
  const quiet = await run(shop, [scenario("hears", shop).says("Large").visits("bye")], { store: false });
  assert.equal(quiet.modelNotices, undefined);
});

test("a call recorded from a server without structured answers is replayed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-"));
  try {
    await using server = await startPlainServer();
    const recordings = (mode: "record" | "replay") =>
      createRecordings(fileRecordings(join(folder, "calls.json")), mode);
    const recorded = await runAt(server.url, { recordings: recordings("record") });
    const count = server.requests.length;
    const replayed = await runAt(server.url, { recordings: recordings("replay") });
    assert.deepEqual([recorded.counts.pass, replayed.counts.pass, server.requests.length], [1, 1, count]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("refused requests count towards the budget of a call", async () => {
  await using server = await startPlainServer();
  const report = await runAt(server.url, { limits: { budget: { call: { modelCalls: 4 } } } });
  assert.equal(report.results[0]?.endReason, "budget_exceeded");
});
