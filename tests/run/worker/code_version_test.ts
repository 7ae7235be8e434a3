import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore, run, scenario } from "../../../mod.ts";
import { parseScenarios, type ScenarioSource, toScenarios } from "../../../src/document/scenario/mod.ts";
import type { CallQueue } from "../../../src/run/runner/mod.ts";
import type { Store } from "../../../src/run/store/mod.ts";
import { createJobRunner, type JobRunnerOptions } from "../../../src/run/worker/start_worker.ts";
import { CHAT } from "../runner/_fixtures.ts";

const checked = (accepts: () => boolean) => scenario("chat").says("Hi").check("has a say", accepts);

/** A queue whose calls one worker runs in this process. */
function queueOf(worker: JobRunnerOptions): CallQueue {
  const runJob = createJobRunner(worker);
  return {
    feed: async ({ runId, settings, signal }) => ({
      runCall: async ({ slot, scenario, needs }, onStart) => {
        onStart();
        const { id } = await runJob({ runId, slot, scenario, settings, needs }, signal);
        return { kind: "stored", resultId: id };
      },
      drop: () => {},
      close: async () => {},
    }),
  };
}

interface Side {
  readonly scenarios: readonly ScenarioSource[];
  readonly codeVersion?: string;
}

async function resultOf(store: Store, ofRun: Side, ofWorker: Side) {
  const { scenarios, ...more } = ofWorker;
  const queue = queueOf({ store, graph: CHAT, scenarios: parseScenarios(toScenarios(scenarios)), ...more });
  const { scenarios: own, ...version } = ofRun;
  const { results } = await run(CHAT, own, { store, share: { queue, ...version } });
  return results.map(({ status, errorMessage }) => `${status} ${errorMessage ?? ""}`.trim()).join();
}

const OTHER =
  /^error Cannot run a call with other code than that of the run: its checks or tools may differ .*codeVersion/;

test("a worker whose checks are not those of the run does not judge its calls", async () => {
  await using store = await openStore(":memory:");
  const [old, changed] = [[checked(() => true)], [checked(() => !true)]];
  assert.equal(await resultOf(store, { scenarios: old }, { scenarios: old }), "pass");
  assert.match(await resultOf(store, { scenarios: old }, { scenarios: changed }), OTHER);
});

test("a worker compares the version of its code with that of the run", async () => {
  await using store = await openStore(":memory:");
  const scenarios = [checked(() => true)];
  const at = (codeVersion: string): Side => ({ scenarios, codeVersion });
  assert.equal(await resultOf(store, at("one"), at("one")), "pass");
  assert.match(await resultOf(store, at("one"), at("two")), OTHER);
  // the texts are equal, but not what they call
  assert.match(await resultOf(store, at("one"), { scenarios }), OTHER);
  assert.equal(await resultOf(store, { scenarios }, at("one")), "pass");
});

test("a call without code runs in a worker with another version", async () => {
  await using store = await openStore(":memory:");
  const plain = [{ name: "chat", says: ["Hi"], excludes: ["never said"] }];
  const outcome = await resultOf(
    store,
    { scenarios: plain, codeVersion: "one" },
    { scenarios: [], codeVersion: "two" },
  );
  assert.equal(outcome, "pass");
});
