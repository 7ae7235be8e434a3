import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { coverage } from "../../../../api/analysis.ts";
import { importCalls } from "../../../../api/calls.ts";
import { flow, number, openStore, type Store } from "../../../../mod.ts";
import { Journal } from "../../../../src/run/store/spool/mod.ts";
import { callsOf, chunksOf } from "../_read.ts";
import { retellCall, retellWebCall } from "../_retell.ts";
import { vapiCall, vapiReport } from "../_vapi.ts";

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(":memory:");
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

const lines = (records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const chat = (words: string) => ({ messages: [{ role: "user", content: words }] });

test("importCalls() stores one run of kind imported with a result per call, in the order of the calls", async () => {
  await withStore(async (store) => {
    const later = { ...retellCall("later"), start_timestamp: Date.UTC(2026, 0, 6) };
    const report = await importCalls(lines([later, retellCall("first"), vapiReport()]), { store, name: "calls.jsonl" });
    assert.deepEqual([report.added, report.known, report.damaged, report.isComplete], [3, 0, 0, true]);
    const { run, results } = await store.showRun(report.run?.id ?? "");
    assert.deepEqual([run.kind, run.counts.imported, run.agent], ["imported", 3, "Orders"]);
    assert.notEqual(run.finishedAt, null);
    assert.deepEqual(
      results.map(({ scenario }) => scenario),
      ["first", "0b2e", "later"],
    );
    const stored = results.find(({ scenario }) => scenario === "first");
    const [call] = await callsOf(retellCall("first"));
    assert.ok(stored && call);
    const { status, transcript, toolsCalled, nodesVisited, variables, latency, endReason, turnCount } = stored;
    assert.deepEqual([status, endReason, turnCount, stored.durationMs], ["imported", "agent_ended", 2, 12_000]);
    assert.deepEqual({ transcript, nodesVisited }, { transcript: call.transcript, nodesVisited: call.nodesVisited });
    assert.deepEqual(
      { toolsCalled, variables, latency },
      { toolsCalled: call.toolsCalled, variables: call.variables, latency: call.latency },
    );
    assert.deepEqual(stored.startVariables, { customer: "Ada" });
    assert.deepEqual(stored.provenance, { ...call.provenance, source: "calls.jsonl", position: 2 });
  });
});

test("importing the same call again stores nothing, whatever file or form it comes in, and starts no run", async () => {
  await withStore(async (store) => {
    const first = await importCalls(lines([retellCall(), vapiCall(), chat("Hi"), chat("Hi")]), { store });
    assert.deepEqual([first.added, first.known], [3, 1]);
    const forms = [
      lines([chat("Hi"), vapiReport(), retellCall()]),
      JSON.stringify([{ event: "call_analyzed", call: retellCall() }]),
      JSON.stringify({ items: [{ ...retellCall(), call_analysis: { call_successful: false } }] }, null, 2),
    ];
    for (const [index, form] of forms.entries()) {
      const again = await importCalls(form, { store, name: `other ${index}` });
      assert.deepEqual([again.added, again.run], [0, null]);
    }
    assert.equal((await store.listRuns()).length, 1);
  });
});

test("calls that another import stores at the same time are counted as known", async () => {
  await withStore(async (store) => {
    await importCalls(lines([chat("One"), chat("Two")]), { store });
    // the other import stores its calls after this one has looked for them
    const before: Store = Object.create(store, { knownResults: { value: async () => new Set<string>() } });
    const report = await importCalls(lines([chat("One"), chat("Two"), chat("Three")]), { store: before });
    assert.deepEqual([report.added, report.known], [1, 2]);
  });
});

test("damaged records are reported with file, line and reason, and the others are stored", async () => {
  await withStore(async (store) => {
    const text = `${lines([chat("One")])}\n{"messages": [\n${lines([chat("Two"), { messages: 7 }])}`;
    const report = await importCalls(text, { store, name: "calls.jsonl" });
    assert.deepEqual([report.added, report.damaged], [2, 2]);
    assert.deepEqual(
      report.problems.map(({ source, line, position }) => [source, line, position]),
      [
        ["calls.jsonl", 2, 2],
        ["calls.jsonl", 4, 4],
      ],
    );
    assert.match(report.problems[0]?.reason ?? "", /^it is not JSON: /);
  });
});

test("an import that is stopped keeps what is stored, and the next one goes on in the same run", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-import-"));
  try {
    const file = join(folder, "calls.jsonl");
    await writeFile(file, lines(Array.from({ length: 120 }, (_, index) => chat(`Call ${index}`))));
    await withStore(async (store) => {
      const controller = new AbortController();
      const options = { store, signal: controller.signal, onProgress: () => controller.abort() };
      const stopped = await importCalls([file], options);
      assert.deepEqual([stopped.isComplete, stopped.added, stopped.run?.finishedAt], [false, 50, null]);
      const rest = await importCalls([file], { store });
      assert.deepEqual([rest.isComplete, rest.added, rest.known, rest.run?.id], [true, 70, 50, stopped.run?.id]);
      assert.deepEqual([rest.run?.counts.imported, typeof rest.run?.finishedAt], [120, "string"]);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("importCalls() ends when it is aborted while its source is silent", async () => {
  await withStore(async (store) => {
    const controller = new AbortController();
    async function* silent() {
      yield `${lines([chat("One")])}\n`;
      controller.abort();
      await new Promise(() => {});
    }
    const report = await importCalls(silent(), { store, signal: controller.signal });
    assert.equal(report.isComplete, false);
  });
});

test("few calls are read and not yet stored at any time, however many a source has", async () => {
  await withStore(async (store) => {
    let stored = 0;
    let read = 0;
    let most = 0;
    const watched: Store = Object.create(store, {
      addResult: {
        value: async (...args: Parameters<Store["addResult"]>) => {
          const record = await store.addResult(...args);
          stored++;
          return record;
        },
      },
    });
    const line = (index: number) => `${JSON.stringify(chat(`Call ${index}`))}\n`;
    async function* source() {
      for (let index = 0; index < 600; index++) {
        read++;
        most = Math.max(most, read - stored);
        yield new TextEncoder().encode(line(index));
      }
    }
    const report = await importCalls(source(), { store: watched });
    assert.equal(report.added, 600);
    assert.ok(most <= 60, `${most} calls were read and not stored`);
  });
});

test("the store keeps no imported results in memory for a database that loses them", async () => {
  await withStore(async (store) => {
    const { run } = await importCalls(lines([chat("One")]), { store });
    assert.ok(run);
    const { results, graph } = await store.showRun(run.id);
    const journal = new Journal();
    journal.start({ run, graph });
    journal.start({ run: { ...run, id: "other", kind: "simulated" }, graph });
    journal.keep([...results, ...results.map((result) => ({ ...result, runId: "other" }))]);
    assert.deepEqual([journal.stored(run.id).length, journal.stored("other").length], [0, 1]);
  });
});

const orders = flow("orders")
  .conversation("greeting", { prompt: "Greet.", next: ({ to }) => [to("look_up", "The caller asks for an order")] })
  .conversation("look_up", { prompt: "Look it up.", next: ({ to }) => [to("goodbye", "The caller says bye")] })
  .end("goodbye", { prompt: "Say goodbye." })
  .compile();

test("the nodes of a call are the agent's, by id or name, and coverage counts its transitions", async () => {
  await withStore(async (store) => {
    const transcript = retellCall().transcript_with_tool_calls?.map((line) => {
      if (line.role !== "node_transition") return line;
      return { ...line, former_node_id: line.former_node_name, new_node_id: line.new_node_name };
    });
    const call = JSON.stringify({ ...retellCall(), transcript_with_tool_calls: transcript }).replaceAll(
      '"Begin"',
      '"begin"',
    );
    const report = await importCalls(call, { store, agent: orders });
    const stored = await store.showRun(report.run?.id ?? "");
    const [result] = stored.results;
    assert.deepEqual([stored.run.agent, result?.nodesVisited], ["orders", ["greeting", "look_up", "goodbye"]]);
    assert.deepEqual(
      result?.transcript.flatMap(({ metadata }) => (metadata.kind === "transition" ? [metadata.ways] : [])),
      [[{ transition: 0 }], [{ transition: 0 }]],
    );
    assert.equal(result?.toolsCalled[0]?.nodeId, "look_up");
    const { counts } = coverage(stored.graph, stored.results);
    assert.deepEqual([counts.node.covered, counts.transition.covered], [3, 2]);
  });
});

test("variables are of the types that the agent declares", async () => {
  await withStore(async (store) => {
    const agent = {
      ...orders,
      nodes: {
        ...orders.nodes,
        look_up: {
          ...orders.nodes.look_up,
          variables_to_extract: [
            { name: "order_id", description: "Number", type: "number" },
            { name: "is_late", description: "Late", type: "boolean" },
          ],
        },
      },
    } as typeof orders; // the compiled flow's type knows its own variables alone
    const { run } = await importCalls(JSON.stringify(retellCall()), { store, agent });
    const [result] = (await store.showRun(run?.id ?? "")).results;
    assert.deepEqual(result?.variables, { customer: "Ada", order_id: 41, is_late: true });
  });
});

test("a variable that a flow declares, and no node extracts, has its type", async () => {
  await withStore(async (store) => {
    const agent = flow("orders", { variables: { order_id: number("Number of the order") } })
      .conversation("ask", { prompt: "Say that order {{order_id}} is late." })
      .compile();
    const { run } = await importCalls(JSON.stringify(retellCall()), { store, agent });
    const [result] = (await store.showRun(run?.id ?? "")).results;
    assert.equal(result?.variables.order_id, 41);
  });
});

test("redact: true replaces personal data with pseudonyms of a key of its own", async () => {
  await using store = await openStore(":memory:");
  const { run } = await importCalls("Agent: Who is speaking?\nUser: My name is Maria Lopez.", {
    ...{ format: "text", store, redact: true },
  });
  const [result] = run ? (await store.showRun(run.id)).results : [];
  const said = result?.transcript.at(-1)?.content ?? "";
  assert.match(said, /^My name is \w+ \w+\.$/);
  assert.doesNotMatch(said, /Maria|Lopez/);
});

test("redact replaces the calls, not their identity", async () => {
  await withStore(async (store) => {
    const redact = {
      call: <Call extends { readonly transcript: readonly object[] }>(call: Call) => ({
        ...call,
        transcript: call.transcript.map((message) => ({ ...message, content: "…" })),
      }),
    };
    const { run } = await importCalls(lines([chat("I am Ada")]), { store, redact });
    const [result] = (await store.showRun(run?.id ?? "")).results;
    assert.deepEqual([result?.transcript[0]?.content, result?.provenance?.redacted], ["…", true]);
    assert.equal((await importCalls(lines([chat("I am Ada")]), { store })).known, 1);
  });
});

test("wrong arguments are typed errors", async () => {
  for (const [source, options] of [
    [7, {}],
    [[""], {}],
    ["", { format: "csv" }],
    ["", { agent: 7 }],
  ]) {
    const wrong = Promise.resolve().then(async () => await Reflect.apply(importCalls, undefined, [source, options]));
    await assert.rejects(wrong, { code: "invalid-option" });
  }
  await assert.rejects(importCalls(chunksOf("", 1), { agent: JSON.parse("{}"), store: ":memory:" }), {
    code: "not-a-graph",
  });
});

test("a call that says no start is at the time of its import", async () => {
  await withStore(async (store) => {
    const { start_timestamp: _, ...call } = retellWebCall();
    const { run } = await importCalls(JSON.stringify(call), { store });
    const [result] = (await store.showRun(run?.id ?? "")).results;
    assert.ok(result && result.startedAt > "2026-01-06");
    const [first, second] = result.transcript.map(({ timestamp }) => Date.parse(timestamp));
    assert.equal((second ?? 0) - (first ?? 0), 1500);
  });
});
