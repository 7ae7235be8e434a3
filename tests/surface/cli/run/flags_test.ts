import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { CASE, callweave, folder, GRAPH } from "../_terminal.ts";

const path = folder({ "agent.json": GRAPH, "tests.json": [CASE, { ...CASE, name: "again" }] });
const SOURCE = [join(path, "agent.json"), "--tests", join(path, "tests.json")];
const run = (...flags: readonly string[]) => callweave(["run", ...SOURCE, "--db", ":memory:", ...flags]);

test("run --estimate prints calls, tokens and cost by role, makes no calls and stores nothing", async () => {
  const db = join(path, "never.db");
  const flags = ["--db", db, "--model", "openai/gpt-5-mini", "--estimate"]; // there is no key: a call would fail
  const people = await callweave(["run", ...SOURCE, ...flags]);
  assert.equal(people.code, 0, people.err);
  assert.match(people.out, /^2 scenarios, turn mode "split"; no model was called\n/);
  assert.match(people.out, /\n {2}agent +openai\/gpt-5-mini +6 calls +[\d,]+ tokens +\$0\.\d+\n/);
  assert.match(people.out, /\n {2}total .* 6 calls/);
  assert.ok(!existsSync(db));
  const { total, scenarios, unpriced } = JSON.parse((await callweave(["run", ...SOURCE, ...flags, "--json"])).out);
  assert.deepEqual(total.calls, { least: 6, most: 6, worst: 90 });
  assert.equal(scenarios.length, 2);
  assert.deepEqual(unpriced, []);
});

test("run --estimate names models without a price and calls without an upper bound", async () => {
  const { out } = await run("--model", "ollama/llama", "--estimate");
  assert.match(out, /price not known/);
  assert.match(out, /The price of ollama\/llama is unknown/);
});

test("run --estimate with --queue counts the requests of each call, and needs no Redis", async () => {
  const scenarios = Array.from({ length: 6 }, (_, number) => ({
    ...{ name: `call ${number}`, says: ["Hi"], repeat: 2 },
    each_reply: [{ criterion: "is courteous", at_least: 1 }],
  }));
  const files = folder({ "agent.json": GRAPH, "tests.json": scenarios });
  const source = [join(files, "agent.json"), "--tests", join(files, "tests.json"), "--model", "openai/gpt-5-mini"];
  const estimate = async (...flags: readonly string[]) =>
    await callweave(["run", ...source, "--estimate", "--db", ":memory:", ...flags]);
  const judged = async (...flags: readonly string[]) => {
    const { out, err } = await estimate("--json", ...flags);
    assert.equal(err, "");
    return JSON.parse(out).roles.judge.calls.most;
  };
  const queue = ["--queue", "redis://127.0.0.1:1"];
  assert.deepEqual([await judged(), await judged(...queue)], [2, 12]);
  const [here, queued] = [await estimate(), await estimate(...queue)];
  assert.doesNotMatch(here.out, /Workers/);
  assert.match(queued.out, /\nWorkers run the calls\. Each call has its own requests about its replies\.\n/);
});

test("run --audit chooses the audit of simulated callers", async () => {
  const persona = { name: "a", user_prompt: "You are Jo.", excludes: ["never said"] };
  const files = folder({ "agent.json": GRAPH, "tests.json": [persona] });
  const source = [join(files, "agent.json"), "--tests", join(files, "tests.json"), "--estimate", "--json"];
  const judged = async (mode: string) => {
    const { out, err } = await callweave(["run", ...source, "--audit", mode]);
    return err === "" ? JSON.parse(out).roles.judge.calls.least : err;
  };
  assert.deepEqual([await judged("off"), await judged("facts"), await judged("judge")], [0, 0, 1]);
  assert.match(await judged("nobody"), /--audit/);
});

test("run --recordings records into a file or a database, and replays without a model", async () => {
  for (const name of ["calls.json", "calls.db"]) {
    const recordings = ["--recordings", join(path, name), "--json"];
    const missing = await run(...recordings, "--mode", "replay");
    assert.equal(missing.code, 3);
    assert.match(JSON.parse(missing.out).results[0].errorMessage, /it was not recorded.*Nothing of its kind/);
    const recorded = JSON.parse((await run(...recordings)).out);
    assert.ok(recorded.usage.calls > 0);
    const replayed = JSON.parse((await run(...recordings, "--mode", "replay")).out);
    assert.equal(replayed.usage.calls, 0);
    assert.equal(replayed.counts.pass, recorded.counts.pass);
    const off = JSON.parse((await run(...recordings, "--mode", "off")).out);
    assert.equal(off.usage.calls, 6);
  }
  assert.ok(JSON.parse(readFileSync(join(path, "calls.json"), "utf8")).recordings.length > 0);
});

test("run --turn and --budget-calls change the turn mode and the budget", async () => {
  const fused = JSON.parse((await run("--turn", "fused", "--json")).out);
  assert.equal(fused.counts.pass, 2);
  assert.equal(fused.usage.calls, 4);
  const cut = JSON.parse((await run("--budget-calls", "1", "--json")).out);
  assert.equal(cut.results[0].endReason, "budget_exceeded");
});

test("run accepts limits for models, time and money", async () => {
  const flags = [
    "--rpm",
    "600",
    "--model-concurrency",
    "1",
    "--try-timeout",
    "7.5",
    "--live-tools",
    "api.example.com,[::1]:80",
  ];
  const { code, err } = await run(
    ...flags,
    "--budget-usd",
    "0.01",
    "--budget-tokens",
    "9999",
    "--budget-seconds",
    "60",
  );
  assert.equal(code, 0, err);
});

test("run --live-tools calls tools only at the listed hosts", async () => {
  const got: string[] = [];
  const server = createServer((request, response) => {
    got.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end('{"place":"harbour"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  const url = `http://127.0.0.1:${port}/orders`;
  const look = {
    node_type: "function",
    tools: [{ name: "look", description: "", url, response_variables: { place: "$.place" } }],
  };
  const next = (target: string, outcome?: string) => ({
    target_node_id: target,
    condition: { type: "tool_call", outcome },
  });
  const nodes = {
    look: { ...look, transitions: [next("tell", "succeeded"), next("sorry", "failed")] },
    tell: { node_type: "end", instruction_type: "static_text", state_prompt: "It is at the {{place}}." },
    sorry: { node_type: "end", state_prompt: "Apologize." },
  };
  const graph = { entry_node_id: "look", nodes };
  const live = folder({
    "agent.json": graph,
    "tests.json": [{ name: "asks", says: ["Where is it?"], includes: ["harbour"] }],
  });
  const runCall = async (...flags: readonly string[]) => {
    const source = [join(live, "agent.json"), "--tests", join(live, "tests.json"), "--db", ":memory:", "--json"];
    return JSON.parse((await callweave(["run", ...source, ...flags])).out).results[0];
  };
  try {
    for (const flags of [[], ["--live-tools", "example.com"], ["--live-tools", `127.0.0.1:${port + 1}`]]) {
      assert.deepEqual((await runCall(...flags)).nodesVisited, ["look", "sorry"]);
    }
    assert.deepEqual(got, []);
    const { status, toolsCalled: calls } = await runCall("--live-tools", `example.com,127.0.0.1:${port}`);
    assert.deepEqual([status, calls[0].result, calls[0].mocked], ["pass", { place: "harbour" }, false]);
    assert.deepEqual(got, ["POST /orders undefined"]);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("run rejects empty and excessive flags before any call", async () => {
  for (const [flags, state] of [
    [["--turn", "fast"], /--turn is "fast"/],
    [["--mode", "replay"], /--mode needs --recordings/],
    [["--recordings", "x.json", "--mode", "play"], /--mode is "play"/],
    [["--live-tools", "https://api.example.com/x"], /--live-tools names "https/],
    [["--live-tools", "*"], /--live-tools names/],
    [["--budget-usd", "free"], /--budget-usd is "free"/],
    [["--budget-calls", "1.5"], /--budget-calls is "1.5"/],
    [["--try-timeout", "0"], /--try-timeout is "0"/],
    [["--timeout", "7"], /the flag --timeout was renamed — Write --try-timeout instead/],
  ] as const) {
    const { code, err } = await run(...flags);
    assert.equal(code, 2, flags.join(" "));
    assert.match(err, state);
  }
});

test("run rejects a cost budget for a model without a price before the first call", async () => {
  const db = join(path, "unpriced.db");
  const { code, err } = await callweave(["run", ...SOURCE, "--db", db, "--model", "ollama/x", "--budget-usd", "1"]);
  assert.equal(code, 2);
  assert.match(err, /error\[missing-price\]/);
  assert.ok(!existsSync(db));
});

test("run --prices adds prices to the known ones", async () => {
  const files = folder({ "prices.json": { "ollama/x": { input: 1, output: 2 } }, "wrong.json": { "ollama/x": 1 } });
  const flags = ["--model", "ollama/x", "--estimate", "--json"];
  const priced = JSON.parse((await run(...flags, "--prices", join(files, "prices.json"))).out);
  assert.ok(priced.total.costUsd.most > 0);
  const wrong = await run(...flags, "--prices", join(files, "wrong.json"));
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /error\[wrong-type\].*it does not contain prices/);
});

test("compare-turns prints the calls of each mode and their differences", async () => {
  const { code, out, err } = await callweave(["compare-turns", ...SOURCE]);
  assert.equal(code, 0, err);
  assert.match(out, /split +fused\n +model calls +6 +4\n/);
  assert.match(out, /4 turns: 0 took another path, 0 said something else/);
  const json = await callweave(["compare-turns", ...SOURCE, "--turn", "speculative", "--json"]);
  const { modes, broken } = JSON.parse(json.out);
  assert.deepEqual([modes, broken], [["split", "speculative"], []]);
});

test("run prints help for --help, -h and a first argument help, and accepts a scenario named help", async () => {
  for (const flag of ["--help", "-h"]) assert.match((await run(flag)).out, /^Run simulated calls/);
  assert.match((await callweave(["run", "help"])).out, /^Run simulated calls/);
  const { code, err } = await run("--scenario", "help");
  assert.equal(code, 2);
  assert.match(err, /there is no scenario "help"/);
});

test("run --now sets the clock of the calls and rejects invalid times", async () => {
  const timed = folder({
    "agent.json": { entry_node_id: "a", nodes: { a: { instruction_type: "static_text", state_prompt: "{{date}}" } } },
    "tests.json": [{ name: "asks the time", says: ["Hi"], includes: ["Mar 1, 2026"] }],
  });
  const runCall = (now: string) =>
    callweave([
      ...["run", join(timed, "agent.json"), "--tests", join(timed, "tests.json")],
      ...["--db", ":memory:", "--now", now, "--json"],
    ]);
  const { results, startedAt } = JSON.parse((await runCall("2026-03-01T09:00:00+01:00")).out);
  assert.equal(startedAt, "2026-03-01T08:00:00.000Z");
  assert.equal(results[0].transcript[0].timestamp, "2026-03-01T08:00:00.000Z");
  assert.equal(results[0].status, "pass");
  for (const time of ["tomorrow", "2026-03-01T09:00", "2026-13-01", "0"])
    assert.match((await runCall(time)).err, /: --now is /);
});
