import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { errorCode } from "../../../src/base/values/mod.ts";
import { createRecordings, fileRecordings, type RecordingMode, scripted } from "../../../src/call/models/mod.ts";
import { fingerprint, parseGraph } from "../../../src/document/graph/mod.ts";
import { type RunReport, run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { withEnvironment } from "../../environment.ts";
import { BILLING, BILLING_CALL, DESK } from "./_fixtures.ts";

const SCENARIO = { name: "billing", ...BILLING_CALL, visits: ["billing"] };
/** So long that what a prompt says of a tool call is cut off behind it. */
const LONG = `m7-Cd5yR2-${"x".repeat(60)}`;
const ARGUMENTS = { id: "A7", account: 12345678, password: "succeeded" };

/** The agent's answers, with a number that could be a secret, and one that says a key of its own. */
function model(reply = "The password is right.", args: object = ARGUMENTS) {
  const respond = [{ toolCalls: [{ name: "lookup_bill", arguments: { ...args } }] }, reply, "Goodbye!"];
  return scripted({ ...BILLING, respond });
}

async function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), "callweave-"));
  try {
    await work(path);
  } finally {
    await rm(path, { recursive: true });
  }
}

/** The bytes of all files of a folder, `results.db` among them. SQLite may remove its other files after they are listed. */
async function filesIn(path: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(path)) {
    const bytes = await readFile(join(path, name), "latin1").catch((error: unknown) => {
      if (errorCode(error) === "ENOENT" && /^results\.db-(?:shm|wal)$/.test(name)) return undefined;
      throw error;
    });
    if (bytes !== undefined) found.set(name, bytes);
  }
  assert.ok(found.has("results.db"));
  return found;
}

const said = ({ results }: RunReport) => results.map(({ transcript }) => transcript.map(({ content }) => content));

const ENVIRONMENTS: readonly { readonly [name: string]: string }[] = [
  { ACCOUNT_TOKEN: "12345678" },
  { DB_PASSWORD: "succeeded" },
  { DB_PASSWORD: "password" },
  { DB_PASSWORD: '"outcome":"succeeded"' },
  { DB_PASSWORD: "agent_ended", NODE_KEY: "goodbye", MOCK_SECRET: "lookup_bill", STATUS_TOKEN: '"pass"' },
  { EVENT_KEY: "tool_call", TOKEN: '{"kind":"transition"' },
];

for (const environment of ENVIRONMENTS)
  test(`a run neither loses nor changes data when the environment has ${JSON.stringify(environment)}`, () =>
    inFolder((path) =>
      withEnvironment(environment, async () => {
        const store = join(path, "results.db");
        const report = await run(DESK, [SCENARIO], { models: { agent: model() }, store, name: "desk" });
        assert.deepEqual([report.storeError, report.counts.pass], [null, 1]);
        await using opened = await openStore(store);
        const [stored] = (await opened.showRun(report.id)).results;
        assert.deepEqual(stored, report.results[0]);
        assert.deepEqual([stored?.status, stored?.endReason], ["pass", "agent_ended"]);
        assert.deepEqual(stored?.nodesVisited, ["greet", "ask", "billing", "goodbye"]);
        assert.deepEqual(stored?.toolsCalled[0]?.arguments, ARGUMENTS);
        assert.equal(stored?.toolsCalled[0]?.outcome, "succeeded");
        assert.ok(said(report)[0]?.includes("The password is right."));
      }),
    ));

for (const [what, reply, recordedIn, replayedIn] of [
  ["a word that is a password", "The password is right.", { DB_PASSWORD: "password" }, { DB_PASSWORD: "password" }],
  ["a name that is a token", "Goodbye is next.", { NODE_TOKEN: "goodbye", T_KEY: "lookup_bill" }, {}],
  ["a secret that the model has said", "It is k7-Ab3xQ9.", { CRM_TOKEN: "k7-Ab3xQ9" }, { CRM_TOKEN: "k7-Ab3xQ9" }],
  ["a secret where it is not set", "It is k7-Ab3xQ9.", { CRM_TOKEN: "k7-Ab3xQ9" }, {}],
  ["a number that is a token", "It is 12345678.", { ACCOUNT_TOKEN: "12345678" }, {}],
  ["a key of the answers that is a secret", "It is objectives_complete.", { X_SECRET: "objectives_complete" }, {}],
  ["a secret in a long tool call", "Found.", { CRM_TOKEN: LONG }, { CRM_TOKEN: LONG }],
] as const)
  test(`recordings with ${what} are replayed with the same text`, () =>
    inFolder(async (path) => {
      const runCall = async (mode: RecordingMode, agent = scripted({})) => {
        const recordings = createRecordings(fileRecordings(join(path, "calls.json")), mode);
        return await run(DESK, [SCENARIO], { models: { agent }, store: false, recordings });
      };
      let recorded: RunReport | undefined;
      await withEnvironment(recordedIn, async () => {
        recorded = await runCall("record", model(reply, { ...ARGUMENTS, key: LONG, more: "m".repeat(300) }));
      });
      assert.ok(recorded?.passed);
      const file = await readFile(join(path, "calls.json"), "utf8");
      if ("CRM_TOKEN" in recordedIn) assert.ok(!file.includes(recordedIn.CRM_TOKEN));
      await withEnvironment(replayedIn, async () => {
        const replayed = await runCall("replay");
        assert.deepEqual([replayed.results[0]?.errorMessage, replayed.passed], [null, true]);
        assert.deepEqual(said(replayed), recorded && said(recorded));
      });
    }));

test("graphs are stored without the keys of their tools, with an unchanged fingerprint", () =>
  inFolder(async (path) => {
    const secrets = ["q7Lm2Xw9Tz4Rb8Kd", "w8Jt5Nq2Vc7Hs4Pf", "hunter22pass", "k7-Ab3xQ9"];
    const tool = {
      name: "find",
      url: `https://crm.test/find?token=${secrets[0]}`,
      metadata: { retell: { headers: { Authorization: `Bearer ${secrets[1]}` } } },
    };
    const graph = parseGraph({
      entry_node_id: "ask",
      source_metadata: { general_prompt: `Look into postgres://me:${secrets[2]}@db.test/app with ${secrets[3]}` },
      nodes: { ask: { node_type: "end", state_prompt: "Say goodbye.", tools: [tool] } },
    });
    await withEnvironment({ CRM_TOKEN: "k7-Ab3xQ9" }, async () => {
      const store = join(path, "results.db");
      const agent = scripted({ respond: ["Goodbye"] });
      const report = await run(graph, [{ name: "bye", says: ["Hi"], excludes: ["never said"] }], {
        models: { agent },
        store,
      });
      await using opened = await openStore(store);
      const stored = await opened.showRun(report.id);
      assert.equal(stored.run.graphFingerprint, fingerprint(graph));
      assert.equal(stored.graph.nodes.ask?.tools[0]?.url, "https://crm.test/find?token={{env:FIND_URL_TOKEN}}");
      for (const [name, bytes] of await filesIn(path))
        for (const secret of secrets) assert.ok(!bytes.includes(secret), `${secret} is in ${name}`);
    });
  }));

test("a password in a model server's URL is never thrown, reported or stored", () =>
  inFolder(async (path) => {
    const address = "http://me:hunter22pass@127.0.0.1:9/v1";
    await withEnvironment({ OPENAI_BASE_URL: address, OPENAI_API_KEY: "none" }, async () => {
      const store = join(path, "results.db");
      const requests = { retry: { minDelayMs: 0 } };
      const report = await run(DESK, [SCENARIO], { models: { agent: "openai/m" }, store, requests });
      assert.equal(report.counts.error, 1);
      assert.ok(!JSON.stringify(report).includes("hunter22pass"));
      for (const [name, bytes] of await filesIn(path)) assert.ok(!bytes.includes("hunter22pass"), name);
    });
  }));
