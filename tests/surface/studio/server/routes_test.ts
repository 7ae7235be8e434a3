import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fingerprint, parseGraph } from "../../../../src/document/graph/mod.ts";
import { createStudioClient, type StudioClient } from "../../../../src/surface/studio/api/client.ts";
import { SCHEMAS, type StudioChatEvent, StudioRequestError } from "../../../../src/surface/studio/api/mod.ts";
import type { StudioData } from "../../../../src/surface/studio/data/mod.ts";
import { GRAPH, newResult, newRun } from "../../../run/store/_fixtures.ts";
import { fits } from "../_fits.ts";
import { agentFile, storedRun, withStudio } from "../_studio.ts";

test("an empty project has a first page, and lists without items", () =>
  withStudio(async ({ address, errors }) => {
    const studio = createStudioClient({ url: address });
    const project = await studio.project({});
    fits("project", project);
    assert.deepEqual(project.counts, { runs: 0, calls: 0, labels: 0 });
    assert.deepEqual([project.agents, project.role, project.user, project.version], [[], "editor", "ana", "1.2.3"]);
    for (const { items } of [
      await studio.runs({}),
      await studio.calls({}),
      await studio.labels({}),
      await studio.audit({}),
    ])
      assert.deepEqual(items, []);
    assert.deepEqual((await studio.queue({})).items, []);
    assert.deepEqual((await studio.search({ q: "anything" })).items, []);
    assert.deepEqual(await studio.agreement({}), { people: [], judge: [] });
    assert.deepEqual((await studio.deployments({})).items, []);
    assert.deepEqual(errors, []);
  }));

test("runs are listed by pages and filters, and shown with their trials", () =>
  withStudio(async ({ address, data }) => {
    const labels = { branch: "main", commit: "abc", tags: ["smoke"] };
    const first = await storedRun(data, ["pass", "fail"], { options: { repeat: 2, labels } });
    const second = await storedRun(data, ["pass"], { agent: "other" });
    const studio = createStudioClient({ url: address });
    const page = await studio.runs({ limit: 1 });
    fits("runs", page);
    assert.deepEqual(
      page.items.map(({ id }) => id),
      [second.run],
    );
    const rest = await studio.runs({ limit: 1, cursor: page.nextCursor ?? "" });
    assert.deepEqual([rest.items.map(({ id }) => id), rest.nextCursor], [[first.run], null]);
    for (const filter of [{ branch: "main" }, { tag: "smoke" }, { agent: "farewell" }])
      assert.deepEqual(
        (await studio.runs(filter)).items.map(({ id }) => id),
        [first.run],
      );
    for (const filter of [{ branch: "none" }, { tag: "none" }, { environment: "none" }, { connection: "none" }])
      assert.deepEqual((await studio.runs(filter)).items, []);
    const run = await studio.run({ run: first.run });
    fits("run", run);
    const [scenario] = run.scenarios;
    assert.deepEqual(
      scenario?.trials.map(({ call, status, score }) => [call, status, score]),
      [
        [first.calls[0], "pass", 0.9],
        [first.calls[1], "fail", 0.9],
      ],
    );
    assert.deepEqual([scenario?.planned, scenario?.passRate.rate, run.commit, run.state], [2, 0.5, "abc", "finished"]);
    assert.equal(run.criteria[0]?.criterion, "polite");
    const trend = await studio.trend({ scenario: "says goodbye", limit: 1 });
    fits("trend", trend);
    assert.deepEqual([trend.items[0]?.run, trend.items[0]?.passRate.rate], [second.run, 1]);
    const older = await studio.trend({ scenario: "says goodbye", cursor: trend.nextCursor ?? "" });
    assert.deepEqual(
      older.items.map(({ commit, branch }) => [commit, branch]),
      [["abc", "main"]],
    );
  }));

test("a comparison has pairs of calls with the first message that differs", () =>
  withStudio(async ({ address, data }) => {
    const base = await storedRun(data, ["pass"]);
    const head = await data.store.startRun(newRun());
    const { transcript } = newResult();
    const other = transcript.map((message, index) => (index === 1 ? { ...message, content: "another" } : message));
    await data.store.addResult(head.id, newResult({ status: "fail", transcript: other }));
    await data.store.finishRun(head.id);
    const comparison = await createStudioClient({ url: address }).compareRuns({ run: head.id, with: base.run });
    fits("compareRuns", comparison);
    const [pair] = comparison.pairs;
    assert.deepEqual(
      [pair?.base, pair?.divergence?.message, pair?.divergence?.base?.content, pair?.divergence?.head?.content],
      [base.calls[0], 1, "lookup", "another"],
    );
    assert.deepEqual([comparison.base.id, comparison.head.id], [base.run, head.id]);
  }));

test("a call has its path, reasons, marks of the evidence, variables, labels and neighbours", () =>
  withStudio(async ({ address, data }) => {
    const { run, calls } = await storedRun(data, ["pass", "pass", "fail"]);
    const [first = "", second = "", third = ""] = calls;
    const studio = createStudioClient({ url: address });
    const call = await studio.call({ call: second });
    fits("call", call);
    assert.deepEqual([call.previous, call.next, call.runId, call.kind], [first, third, run, "simulated"]);
    assert.deepEqual(call.marks, [{ criterion: "polite", message: 0, from: 0, to: 7 }]);
    assert.deepEqual(call.nodes, [{ id: "bye", name: "bye", type: "end" }]);
    const page = await studio.calls({ run, status: "fail" });
    fits("calls", page);
    assert.deepEqual(
      page.items.map(({ id }) => id),
      [third],
    );
    await assert.rejects(studio.call({ call: "none" }), (error) => {
      assert.ok(error instanceof StudioRequestError);
      assert.deepEqual([error.status, error.code], [404, "unknown-call"]);
      return true;
    });
  }));

test("a call has what its audit found, how it differs from its recording, and the calls that repeat it", () =>
  withStudio(async ({ address, data }) => {
    const { run, calls } = await storedRun(data, ["pass", "pass"]);
    const [first = "", second = ""] = calls;
    const studio = createStudioClient({ url: address });
    const plain = await studio.call({ call: first });
    assert.deepEqual([plain.audit, plain.replay, plain.repetitions, plain.isConnected], [[], null, [], false]);
    const replays = await data.store.startRun(
      newRun({ kind: "replay", options: { replay: { of: run, mode: "strict" } } }),
    );
    const divergence = {
      kind: "path",
      turn: 1,
      nodeId: "bye",
      recorded: "bye -> a",
      replayed: null,
      reason: "",
    } as const;
    const finding = { kind: "invented-fact", fact: "4711", quote: "It is 4711", reason: "Nobody gave it" } as const;
    const repeat = async (ofResult: string, trial: number) =>
      await data.store.addResult(
        replays.id,
        newResult({
          ...{ status: "fail", trial, attempt: 1, audit: { findings: [finding] } },
          replay: { ofResult, mode: "strict", divergences: [{ ...divergence, graphChanges: ["The prompt changed"] }] },
        }),
      );
    const [one, two] = [await repeat(first, 1), await repeat(second, 2)];
    await repeat("another", 3);
    const recorded = await studio.call({ call: first });
    fits("call", recorded);
    assert.deepEqual(
      recorded.repetitions.map(({ call, run: of, status, divergences }) => [call, of, status, divergences.length]),
      [[one.id, replays.id, "fail", 1]],
    );
    const repeated = await studio.call({ call: two.id });
    fits("call", repeated);
    assert.equal(repeated.replay?.ofResult, second);
    assert.deepEqual(repeated.replay?.divergences, [{ ...divergence, graphChanges: ["The prompt changed"] }]);
    assert.deepEqual(repeated.audit, [finding]);
  }));

test("a recording is served from the project's folder, and from nowhere else", () =>
  withStudio(async ({ address, data, folder }) => {
    await writeFile(join(folder, "call.wav"), "RIFF");
    await writeFile(join(folder, "secret.txt"), "secret");
    const { id } = await data.store.startRun(newRun());
    const named = async (recordingUrl: string, trial: number) => {
      const connection = { agent: "a", recordingUrl };
      const { id: call } = await data.store.addResult(id, newResult({ trial, attempt: 1, connection }));
      return await fetch(studio.address("recording", { call }));
    };
    const studio = createStudioClient({ url: address });
    const served = await named("call.wav", 1);
    assert.deepEqual(
      [served.status, served.headers.get("content-type"), await served.text()],
      [200, "audio/wav", "RIFF"],
    );
    const others = ["secret.txt", "../call.wav", "/etc/passwd", "file:///etc/hostname.wav", "https://127.0.0.1/a.wav"];
    for (const [index, path] of others.entries()) {
      const response = await named(path, index + 2);
      assert.equal(response.status, 404, path);
      await response.body?.cancel();
    }
  }));

test("search finds words with marks in new calls, by pages", () =>
  withStudio(async ({ address, data }) => {
    const { calls } = await storedRun(data, ["pass", "fail"]);
    const studio = createStudioClient({ url: address });
    const found = await studio.search({ q: "goodb", limit: 1 });
    fits("search", found);
    assert.equal(found.items[0]?.call.id, calls[1]);
    const [excerpt] = found.items[0]?.excerpts ?? [];
    assert.deepEqual([excerpt?.message, excerpt?.role, excerpt?.marks], [0, "assistant", [{ from: 0, to: 7 }]]);
    const next = await studio.search({ q: "goodb", cursor: found.nextCursor ?? "" });
    assert.deepEqual(
      next.items.map(({ call }) => call.id),
      [calls[0]],
    );
    assert.deepEqual(
      (await studio.search({ q: "goodbye", status: "fail" })).items.map(({ call }) => call.id),
      [calls[1]],
    );
    // operators of the index are words like all others
    for (const q of ['" OR "', "NOT goodbye*(", "words:goodbye", "^", "a NEAR b", '"goodbye', "\u0000"])
      fits("search", await studio.search({ q }));
  }));

test("a word of one or two letters is found as a whole, and a Chinese one as a beginning", () =>
  withStudio(async ({ address, data }) => {
    const { id: run } = await data.store.startRun(newRun());
    const at = { node_id: "bye", timestamp: "2026-01-02T03:04:05.678Z", role: "user" as const, metadata: {} };
    const said = async (content: string, trial: number) =>
      (await data.store.addResult(run, newResult({ trial, attempt: 1, transcript: [{ ...at, content }] }))).id;
    const calls = [await said("Is it an apple?", 1), await said("Is it another one?", 2), await said("你好 again", 3)];
    const studio = createStudioClient({ url: address });
    const found = async (q: string) => (await studio.search({ q })).items.map(({ call }) => calls.indexOf(call.id));
    assert.deepEqual(await found("an"), [0]);
    assert.deepEqual(await found("ano"), [1]);
    assert.deepEqual(await found("你"), [2]);
  }));

test("a label replaces the same person's, counts in the agreement, and takes a call out of the queue", () =>
  withStudio(async ({ address, data }) => {
    const { calls } = await storedRun(data, ["fail", "pass"]);
    const [call = "", other = ""] = calls;
    const studio = createStudioClient({ url: address });
    const queued = await studio.queue({});
    fits("queue", queued);
    assert.ok(
      queued.items.some(({ call: { id }, reasons }) => id === call && reasons.some(({ kind }) => kind === "failed")),
    );
    const saved = await studio.saveLabel({ call, verdict: "good", words: "Goodbye then" });
    fits("saveLabel", saved);
    const again = await studio.saveLabel({ call, verdict: "bad", what: "too short" });
    assert.deepEqual(
      (await studio.labels({ call })).items.map(({ id, verdict }) => [id, verdict]),
      [[again.id, "bad"]],
    );
    assert.ok(!(await studio.queue({})).items.some(({ call: { id } }) => id === call));
    await studio.saveLabel({ call: other, criterion: "polite", verdict: "bad" });
    const agreement = await studio.agreement({});
    fits("agreement", agreement);
    const whole = agreement.judge.find(({ criterion }) => criterion === null);
    const polite = agreement.judge.find(({ criterion }) => criterion === "polite");
    assert.deepEqual([whole?.agreed, polite?.agreed, polite?.disagreements], [1, 0, [other]]);
    await studio.deleteLabel({ label: again.id });
    assert.deepEqual((await studio.labels({ call })).items, []);
    await assert.rejects(studio.deleteLabel({ label: again.id }), { code: "unknown-label" });
    await assert.rejects(studio.saveLabel({ call: "none", verdict: "good" }), { code: "unknown-call" });
    const audit = await studio.audit({});
    fits("audit", audit);
    assert.deepEqual(audit.items.map(({ by, action, detail }) => [by, action, detail.outcome]).slice(0, 3), [
      ["ana", "saveLabel", "unknown-call"],
      ["ana", "deleteLabel", "unknown-label"],
      ["ana", "deleteLabel", "done"],
    ]);
  }));

test("a run and a call are exported as files, and a cell of CSV is no formula", () =>
  withStudio(async ({ address, data }) => {
    const { id: run } = await data.store.startRun(newRun());
    const { id: call } = await data.store.addResult(run, newResult({ errorMessage: '=cmd|"a",b' }));
    await data.store.finishRun(run);
    const studio = createStudioClient({ url: address });
    const read = async (name: "exportRun" | "exportCall", file: string) => {
      const response = await fetch(studio.address(name, { file }));
      assert.equal(response.status, 200, file);
      assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename="[0-9a-z]+\.\w+"$/);
      return await response.text();
    };
    assert.match(await read("exportRun", `${run}.html`), /<!doctype html>/i);
    assert.match(await read("exportCall", `${call}.html`), /<!doctype html>/i);
    assert.equal(JSON.parse(await read("exportRun", `${run}.jsonl`)).id, call);
    assert.equal(JSON.parse(await read("exportCall", `${call}.jsonl`)).id, call);
    assert.match(await read("exportRun", `${run}.csv`), /,"'=cmd\|""a"",b"\r\n$/);
    for (const file of [`${run}.txt`, `..%2f${run}.html`, "%2e%2e%2fpasswd.html", `${call}.csv.html`])
      assert.equal((await fetch(`${address}/api/v1/exports/run/${file}`)).status, 404, file);
  }));

test(
  "a run of more than 2,000 calls is one page: with the transcripts of those that failed, and the figures of all",
  {
    timeout: 300_000,
  },
  () =>
    withStudio(async ({ address, data }) => {
      const { id: run } = await data.store.startRun(newRun());
      const results = Array.from({ length: 2_001 }, (_, index) =>
        newResult({ trial: index + 1, attempt: 1, status: index === 1_500 || index === 2_000 ? "fail" : "pass" }),
      );
      await Promise.all(results.map((result) => data.store.addResult(run, result)));
      await data.store.finishRun(run);
      const response = await fetch(createStudioClient({ url: address }).address("exportRun", { file: `${run}.html` }));
      assert.equal(response.status, 200);
      const html = await response.text();
      const blocks = [...html.matchAll(/id="call-\d+">(.*?)<\/script>/gs)].map(([, text = ""]) => JSON.parse(text));
      const lacking = blocks.flatMap(({ isWithoutTranscript, lines }, index) =>
        isWithoutTranscript ? [[index, lines]] : [],
      );
      assert.equal(blocks.length, 2_001);
      // the last one that passed: the two that failed come first
      assert.deepEqual(lacking, [[1_999, []]]);
      assert.match(html, /2,001 calls are too many .* all 2 that did not pass, and 1,998 that passed/);
      assert.equal(html.split('Goodbye, \\"friend\\"').length - 1, 2_000);
    }),
);

test("a comparison is exported as a file, also of scenarios that only one run has", () =>
  withStudio(async ({ address, data }) => {
    const base = await storedRun(data, ["pass", "pass"]);
    const { id: run } = await data.store.startRun(newRun());
    await data.store.addResult(run, newResult({ status: "fail" }));
    await data.store.addResult(run, newResult({ scenario: "=new()" }));
    await data.store.finishRun(run);
    const studio = createStudioClient({ url: address });
    const get = (file: string, other: string) => fetch(studio.address("exportComparison", { file, with: other }));
    const read = async (ending: string) => {
      const response = await get(`${run}.${ending}`, base.run);
      assert.equal(response.status, 200, ending);
      const name = response.headers.get("content-disposition");
      assert.equal(name, `attachment; filename="${run}-with-${base.run}.${ending}"`);
      return await response.text();
    };
    const lines = (await read("jsonl")).trimEnd().split("\n");
    const [first, second] = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      [lines.length, first.run, first.with, first.scenario, first.before.passes, first.now.passes, first.now.trials],
      [2, run, base.run, "says goodbye", 2, 0, 1],
    );
    assert.deepEqual(second, { run, with: base.run, scenario: "=new()", onlyIn: run });
    const [header = "", row = "", ...others] = (await read("csv")).trimEnd().split("\r\n");
    const cells = Object.fromEntries(header.split(",").map((name, index) => [name, row.split(",")[index]]));
    assert.deepEqual(
      [cells.run, cells.with, cells.scenario, cells.passesBefore, cells.trialsBefore, cells.passes, cells.trials],
      [run, base.run, "says goodbye", "2", "2", "0", "1"],
    );
    assert.match(others.at(-1) ?? "", new RegExp(`^${run},${base.run},'=new\\(\\),,only in ${run},`));
    const [, report = ""] = /id="report">(.*?)<\/script>/s.exec(await read("html")) ?? [];
    assert.equal(JSON.parse(report).comparison.rows[0].base.passes, 2);
    assert.equal((await get(`${run}.txt`, base.run)).status, 404);
    assert.equal((await get(`${run}.csv`, "none")).status, 404);
    assert.equal((await fetch(`${address}/api/v1/exports/comparison/${run}.csv`)).status, 400);
  }));

/** Two more versions, of which one has two runs: any two can be compared, and each can be shown. */
async function compareVersions(studio: StudioClient, data: StudioData): Promise<void> {
  const spoken = (state_prompt: string) =>
    parseGraph({ nodes: { bye: { node_type: "end", state_prompt } }, entry_node_id: "bye" });
  const [one, two] = [spoken("Say adieu."), spoken("Say ciao.")];
  const labels = { branch: "main", commit: "abc" };
  const first = await storedRun(data, ["pass"], { graph: one });
  const last = await storedRun(data, ["pass"], { graph: two });
  const again = await storedRun(data, ["pass"], { graph: one, options: { labels } });
  await storedRun(data, ["pass"], { graph: spoken("Say nothing."), agent: "another" });
  const page = await studio.agentVersions({ agent: "farewell", limit: 2 });
  fits("agentVersions", page);
  assert.deepEqual(
    page.items.map(({ fingerprint: version, runs, run, commit, branch }) => [version, runs, run, commit, branch]),
    [
      [fingerprint(one), 2, again.run, "abc", "main"],
      [fingerprint(two), 1, last.run, null, null],
    ],
  );
  const rest = await studio.agentVersions({ agent: "farewell", cursor: page.nextCursor ?? "" });
  assert.deepEqual([rest.items.map((each) => each.fingerprint), rest.nextCursor], [[fingerprint(GRAPH)], null]);
  for (const [from, to] of [
    [fingerprint(one), fingerprint(two)],
    [first.run, last.run],
  ] as const) {
    const { changes, ...versions } = await studio.agentDiff({ agent: "farewell", from, to });
    assert.deepEqual(versions, { from: fingerprint(one), to: fingerprint(two) });
    assert.match(JSON.stringify(changes), /adieu.*ciao/);
  }
  assert.deepEqual((await studio.agentDiff({ agent: "farewell", from: first.run, to: again.run })).changes, []);
  const earlier = await studio.agent({ agent: "farewell", version: fingerprint(two) });
  fits("agent", earlier);
  assert.deepEqual(
    [earlier.fingerprint, earlier.nodes, earlier.run, earlier.isSameVersion],
    [fingerprint(two), 1, last.run, true],
  );
  assert.match(JSON.stringify(earlier.graph), /Say ciao/);
  for (const version of ["0".repeat(64), "nothing"])
    await assert.rejects(studio.agent({ agent: "farewell", version }), { code: "unknown-run" });
}

test("an agent is shown from its source, redrawn on save, and compared with a run", { timeout: 60_000 }, async () => {
  const seen: { path: string }[] = [];
  const question = { path: "", exportName: undefined, format: undefined, scenarioFiles: [] as string[] };
  await withStudio(
    async ({ address, data }) => {
      const studio = createStudioClient({ url: address });
      const { agents } = await studio.project({});
      assert.deepEqual(
        agents.map(({ id, nodes, problem }) => [id, nodes, problem]),
        [["farewell", 2, null]],
      );
      const { run } = await storedRun(data, ["pass", "fail"]);
      const agent = await studio.agent({ agent: "farewell" });
      fits("agent", agent);
      assert.match(agent.picture, /data-node="greet"/);
      assert.deepEqual([agent.run, agent.isSameVersion], [run, false]);
      assert.deepEqual(
        agent.figures.map(({ id, calls, passRate }) => [id, calls, passRate.passes]),
        [
          ["greet", 0, 0],
          ["bye", 2, 1],
        ],
      );
      const diff = await studio.agentDiff({ agent: "farewell", from: run });
      fits("agentDiff", diff);
      assert.ok(diff.changes.length > 0);
      assert.deepEqual([diff.from, diff.to], [fingerprint(GRAPH), agent.fingerprint]);
      await compareVersions(studio, data);
      const [first] = seen;
      const over = new AbortController();
      const events = studio.events({ signal: over.signal, after: "0" });
      const text = await readFile(first?.path ?? "", "utf8");
      await writeFile(first?.path ?? "", text.replace("Say goodbye.", "Say farewell."));
      for await (const event of events) if (event.type === "source-changed") break;
      over.abort();
      assert.match(JSON.stringify((await studio.agent({ agent: "farewell" })).graph), /Say farewell/);
      await assert.rejects(studio.agent({ agent: "nobody" }), { code: "unknown-agent" });
    },
    {
      before: async (_, folder) => {
        const file = await agentFile(folder);
        seen.push(file);
        Object.assign(question, file);
      },
      question,
    },
  );
});

test("a chat streams replies, is undone, moved and explained, and tries other prompts", {
  timeout: 60_000,
}, async () => {
  const question = { path: "", exportName: undefined, format: undefined, scenarioFiles: [] as string[] };
  await withStudio(
    async ({ address }) => {
      const studio = createStudioClient({ url: address });
      const chat = await studio.createChat({ agent: "farewell", prompts: { bye: "Say adieu." } });
      fits("createChat", chat);
      assert.deepEqual([chat.node, chat.offline], ["greet", true]);
      const say = async (text: string) => {
        const events: StudioChatEvent[] = [];
        for await (const event of studio.say({ chat: chat.id, text })) events.push(event);
        for (const event of events) fits("say", event);
        return events;
      };
      const events = await say("<script>alert(1)</script> hello");
      const last = events.at(-1);
      assert.equal(last?.type, "turn");
      assert.ok(events.some(({ type }) => type === "token"));
      const said = last?.type === "turn" ? last.chat.transcript : [];
      assert.ok(said.some(({ content }) => content.includes("<script>alert(1)</script>")));
      fits("whyInChat", await studio.whyInChat({ chat: chat.id }));
      const set = await studio.setInChat({ chat: chat.id, name: "name", value: "Ada" });
      assert.equal(set.variables.name, "Ada");
      assert.equal((await studio.gotoInChat({ chat: chat.id, node: "bye" })).node, "bye");
      await assert.rejects(studio.gotoInChat({ chat: chat.id, node: "none" }), { code: "unknown-target", status: 404 });
      for (const kind of ["goto", "set", "said"]) {
        const before = await studio.chat({ chat: chat.id });
        assert.equal(before.steps.at(-1)?.kind, kind);
        await studio.undoChat({ chat: chat.id });
      }
      await assert.rejects(studio.undoChat({ chat: chat.id }), { code: "nothing-to-undo" });
      await studio.endChat({ chat: chat.id });
      await assert.rejects(studio.chat({ chat: chat.id }), { code: "unknown-chat" });
      await assert.rejects(studio.createChat({ agent: "farewell", prompts: { none: "" } }), { code: "unknown-target" });
      await assert.rejects(studio.createChat({ agent: "nobody" }), { code: "unknown-agent" });
    },
    { before: async (_, folder) => void Object.assign(question, await agentFile(folder)), question },
  );
});

test("the OpenAPI document has every route, with the schemas of its requests", () =>
  withStudio(async ({ address }) => {
    const document = await createStudioClient({ url: address }).openapi({});
    assert.equal(document.openapi, "3.1.0");
    const paths = Object.keys(document.paths ?? {});
    assert.ok(paths.includes("/runs/{run}/compare"));
    const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path ?? {}));
    assert.equal(operations.length, Object.keys(SCHEMAS).length);
    const limit =
      '"name":"limit","in":"query","required":false,"schema":{"type":"integer","minimum":1,"maximum":200,"default":50}';
    assert.ok(JSON.stringify(document).includes(limit));
  }));
