import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import { conversation } from "../../../src/call/engine/mod.ts";
import { createRecordings, fileRecordings } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openRecordings } from "../../../src/run/store/mod.ts";
import { formatHtml, formatJson, formatJunit, formatReport, formatResult } from "../../../src/surface/reporters/mod.ts";
import { type ChatRequest, type ChatServer, fitting, startChatServer } from "../../chat_server.ts";
import { withEnvironment } from "../../environment.ts";
import { ROOT, runFile } from "../../surface/cli/_process.ts";
import { callweave, folder, GRAPH } from "../../surface/cli/_terminal.ts";

/** Unlike any ordinary text, with a character that JSON escapes. */
const CANARY = 'sk-canary-"5e1f\\0c77-key';
const ENV = { OPENAI_API_KEY: CANARY, CANARY_TOKEN: `${CANARY}-token` };

/** The response of a server that leaks secrets, by the caller's words. */
const SCENARIOS = [
  { name: "fine", says: ["My name is Anna."], excludes: ["never said"] },
  { name: "in a reply", says: ["Say the key, please."], excludes: ["never said"] },
  { name: "in a refusal", says: ["Refuse, please."], excludes: ["never said"] },
  { name: "in an answer of another form", says: ["Mumble, please."], excludes: ["never said"] },
];

/** A server that gives the key away in replies and errors. */
async function startBlabber(): Promise<ChatServer> {
  return await startChatServer((request: ChatRequest) => {
    const asked = JSON.stringify(request.messages);
    const error = JSON.stringify({ error: { message: `Incorrect API key provided: ${CANARY}, ${CANARY}-token` } });
    if (asked.includes("Refuse")) return { status: 401, body: error };
    if (asked.includes("Mumble")) return { say: `{"key": ${JSON.stringify(CANARY)}}` };
    if (asked.includes("Say the key") && !request.response_format) return { say: `The key is ${CANARY}` };
    const verdict = { number: 1, requirement: "r", evidence: "", reasoning: CANARY, score: 1, confidence: 1 };
    return fitting(request, { objectives_complete: true, transition_to: "bye", verdicts: [verdict] });
  });
}

/** Fails if the canary occurs, in any encoding. */
function assertNowhere(bytes: Buffer | string, where: string): void {
  const text = typeof bytes === "string" ? bytes : bytes.toString("latin1");
  for (const form of [CANARY, JSON.stringify(CANARY).slice(1, -1), CANARY.replaceAll('"', "&quot;"), "canary-"])
    assert.ok(!text.includes(form), `the key is in ${where}`);
}

function assertNotInFolder(path: string): void {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length >= 4, "the run has written nothing");
  for (const { name, parentPath } of files) assertNowhere(readFileSync(join(parentPath, name)), name);
}

test("the key of a command-line run appears in no file, database, recording, report or output", async () => {
  await using server = await startBlabber();
  const scenarios = SCENARIOS.slice(0, 3); // the retries of the last one take their time
  const cwd = folder({ "agent.json": GRAPH, "tests.json": scenarios });
  const env = { ...ENV, OPENAI_BASE_URL: server.url, CALLWEAVE_DEBUG: "1" };
  const start = (argv: readonly string[]) => runFile(join(ROOT, "src/surface/cli/main.ts"), argv, { cwd, env });
  const runHere = (argv: readonly string[]) => callweave(argv, { cwd, env });
  const runs = [
    { run: start, recordings: "calls.json", format: [] },
    { run: runHere, recordings: "calls.db", format: ["--json"] },
  ];
  writeFileSync(join(cwd, "loud.ts"), 'throw new Error("no " + process.env.OPENAI_API_KEY);');
  await withEnvironment(env, async () => {
    for (const { run, recordings, format } of runs) {
      const flags = ["--tests", "tests.json", "--recordings", recordings, "--junit", `${recordings}.xml`, ...format];
      const { code, out, err } = await run(["run", "agent.json", ...flags]);
      assert.equal(code, 3, err);
      assert.match(out, /\[OPENAI_API_KEY\]/);
      assertNowhere(out + err, "the output");
    }
    const broken = await runHere(["run", "loud.ts"]);
    assert.match(broken.err, /\[OPENAI_API_KEY\]/);
    assertNowhere(broken.out + broken.err, "the output of an error");
  });
  const shown = await callweave(["runs", "list", "--db", join(cwd, ".callweave", "results.db")], { env });
  assertNowhere(shown.out + shown.err, "the output of runs list");
  assert.ok(server.headers.every(({ authorization }) => String(authorization) === `Bearer ${CANARY}`));
  assertNotInFolder(cwd);
});

test("the key of a run in code appears in no result, report, recording or error", async () => {
  await using server = await startBlabber();
  const before = { ...process.env };
  Object.assign(process.env, ENV, { OPENAI_BASE_URL: server.url });
  try {
    const path = folder();
    const graph = parseGraph(GRAPH);
    for (const kind of ["json", "db"] as const) {
      const file = join(path, `calls.${kind}`);
      await using database = await openRecordings(join(path, kind === "db" ? "calls.db" : "unused.db"));
      const recordings = createRecordings(kind === "db" ? database : fileRecordings(file), "record");
      const requests = { retry: { minDelayMs: 0 } };
      const models = { agent: "openai/m" };
      const metrics = ["Is kind"];
      const store = join(path, "results.db");
      const report = await run(graph, SCENARIOS, { models, store, recordings, requests, judging: { metrics } });
      assert.deepEqual([report.counts.error, report.results.length], [2, 4]);
      assert.match(JSON.stringify(report.results[1]), /The key is \[OPENAI_API_KEY\]/);
      const texts = [
        formatJson(report),
        formatJunit(report),
        formatHtml(report, { graph }),
        formatReport(report),
        ...report.results.map((each) => formatResult(each)),
      ];
      for (const text of [...texts, inspect(report, { depth: 9 })]) assertNowhere(text, "a report");
      for (const { says } of SCENARIOS.slice(2)) {
        const call = conversation(graph, { models, requests });
        await call.open();
        const error: unknown = await call.hear(says[0] ?? "").catch((thrown: unknown) => thrown);
        assert.ok(error instanceof Error);
        assertNowhere(inspect(error, { depth: 9, showHidden: true }), "an error");
      }
    }
    assertNotInFolder(path);
  } finally {
    for (const name of Object.keys(ENV)) delete process.env[name];
    delete process.env.OPENAI_BASE_URL;
    Object.assign(process.env, before);
  }
});
