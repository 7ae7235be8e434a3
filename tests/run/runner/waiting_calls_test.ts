import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { flow, run, scenario, scripted } from "../../../mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { inOneFile, ownStart } from "../../surface/cli/_process.ts";
import { inFolder, newResult, newRun } from "../store/_fixtures.ts";
import { runWaiting, type WaitingEvent, type WaitingRun } from "./_waiting.ts";

const SLOW = { timeout: 120_000 };
const CALLS = 7;

/** Runs _waiting_run.ts until it is killed. */
async function runKilled(given: WaitingRun) {
  const script = await inOneFile(fileURLToPath(new URL("_waiting_run.ts", import.meta.url)));
  const [command = "", ...start] = ownStart();
  const child = spawn(command, [...start, script, JSON.stringify(given)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    output += part;
  });
  const signal = await new Promise((resolve) => child.on("close", (_code, ended) => resolve(ended)));
  assert.equal(signal, "SIGKILL");
  return sorted(output.split("\n").flatMap((line): readonly WaitingEvent[] => (line === "" ? [] : [JSON.parse(line)])));
}

async function runHere(given: WaitingRun) {
  const events: WaitingEvent[] = [];
  await runWaiting(given, (event) => void events.push(event));
  return sorted(events);
}

function sorted(events: readonly WaitingEvent[]) {
  return {
    id: events.flatMap((event) => ("run" in event ? event.run : []))[0] ?? "",
    held: events.flatMap((event) => ("held" in event ? event.held : [])),
    judged: events.flatMap((event) => ("judged" in event ? event.judged : [])),
    ...events.find((event) => "results" in event),
  };
}

test("a run that is killed while calls wait for a shared request judges them when it is resumed", SLOW, () =>
  inFolder(async (folder) => {
    const whole = await runHere({ db: join(folder, "whole.db"), calls: CALLS });
    assert.deepEqual([whole.held.length, whole.judged, whole.left], [CALLS, [20, 8], 0]);
    const db = join(folder, "killed.db");
    const killed = await runKilled({ db, calls: CALLS, killIn: { call: 5, kept: 4 } });
    assert.deepEqual([killed.held.length, killed.judged], [5, []]);
    // killed again while the calls of the first process wait
    const again = await runKilled({ db, calls: CALLS, resume: killed.id, killIn: { call: 5, kept: 4 } });
    assert.deepEqual([again.held, again.judged], [["line 1 of 5"], []]);
    const resumed = await runHere({ db, calls: CALLS, resume: killed.id });
    assert.deepEqual(resumed.held, ["line 1 of 5", "line 1 of 6", "line 1 of 7"]);
    assert.deepEqual([resumed.judged, resumed.left], [[20, 8], 0]);
    assert.deepEqual(resumed.results, whole.results);
    const settled = await runHere({ db, calls: CALLS, resume: killed.id });
    assert.deepEqual([settled.held, settled.judged, settled.results], [[], [], whole.results]);
  }),
);

test("what a call has cost counts once when it is judged after one stop or several", () =>
  inFolder(async (folder) => {
    const desk = flow("desk", { beginMessage: "Hello!" })
      .conversation("ask", { prompt: "Ask for the day.", next: ({ to }) => [to("bye", "Caller gives a day")] })
      .end("bye", { prompt: "Say goodbye." })
      .compile();
    const scenarios = ["a", "b", "c"].map((name) => scenario(name, desk).says("Tuesday.").eachReply("is courteous"));
    const rule = ({
      replies,
    }: {
      readonly replies: readonly { readonly number: number; readonly reply: string }[];
    }) => ({
      rulings: replies.map(({ number: reply, reply: quote }) => ({
        reply,
        criterion: 1,
        met: true,
        quote,
        reasoning: "",
      })),
    });
    const judge = scripted({ replies: [rule, rule] });
    const store = join(folder, "results.db");
    const options = { models: { agent: "offline", judge }, store } as const;
    const runUntil = async (stopAt: string | undefined, resume?: string) => {
      const stop = new AbortController();
      return await run(desk, scenarios, {
        ...options,
        signal: stop.signal,
        limits: { concurrency: 1 },
        share: resume === undefined ? {} : { resume },
        listeners: {
          onProgress: (event) => {
            if (event.kind === "call-start" && event.scenario === stopAt) stop.abort();
          },
        },
      });
    };
    const whole = await runUntil(undefined);
    const stopped = await runUntil("c");
    assert.deepEqual(stopped.counts.cancelled, 3);
    const again = await runUntil("c", stopped.id);
    const resumed = await runUntil(undefined, again.id);
    assert.equal(resumed.counts.pass, 3);
    const { agent, judge: asked } = resumed.usage.byRole ?? {};
    assert.deepEqual([agent?.calls, asked?.calls], [whole.usage.byRole?.agent.calls, whole.usage.byRole?.judge.calls]);
  }));

test("a store keeps calls until their trial has a result other than cancelled", () =>
  inFolder(async (folder) => {
    await using store = await openStore(join(folder, "results.db"));
    const { id } = await store.startRun(newRun());
    const call = (trial: number) => newResult({ trial, attempt: 1, status: "cancelled", verdicts: [] });
    await store.keepUnjudged(id, [call(1), call(2), call(3)]);
    await store.keepUnjudged(id, [{ ...call(3), attempt: 2 }]);
    const kept = async () => (await store.unjudgedCalls(id)).map(({ trial, attempt }) => [trial, attempt]);
    assert.deepEqual((await kept()).sort(), [
      [1, 1],
      [2, 1],
      [3, 2],
    ]);
    const [first] = await store.unjudgedCalls(id);
    assert.deepEqual(first?.transcript, call(1).transcript);
    await store.addResult(id, call(1));
    await store.addResult(id, newResult({ trial: 2, attempt: 1 }));
    await store.keepUnjudged(id, [call(2)]); // too late
    await store.addResult(id, newResult({ trial: 3, attempt: 2, status: "error" }));
    assert.deepEqual(await kept(), [[1, 1]]);
    await store.finishRun(id);
    await store.deleteRun(id);
    assert.deepEqual(await kept(), []);
    await store.keepUnjudged(id, [call(1)]); // of no run
    assert.deepEqual(await kept(), []);
  }));
