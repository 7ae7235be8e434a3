import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { WatchPlan } from "../../../../src/surface/cli/watch/read_watch.ts";
import { watchRounds } from "../../../../src/surface/cli/watch/rounds.ts";
import { folder, inTerminal } from "../_terminal.ts";
import { fiveWeeks, startProduction } from "./_production.ts";

test("watchRounds() goes on after a round that failed, and ends with the code of the last round", async () => {
  await using platform = await startProduction(() => fiveWeeks(() => "Your order arrives tomorrow."));
  const path = folder();
  const plan: WatchPlan = {
    from: "retell",
    options: { key: "key_0123456789abcdef", baseUrl: platform.url, state: join(path, "pulls.json"), minimum: 10 },
    db: join(path, "results.db"),
    everyMs: 600_000,
    json: false,
    scenarioFlags: "",
  };
  const controller = new AbortController();
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    platform.fail = undefined;
    if (pauses.length === 3) controller.abort();
  };
  platform.fail = () => 400;
  const { code, out, err } = await inTerminal((terminal) => watchRounds(plan, terminal, { pause }), {
    signal: controller.signal,
  });
  assert.deepEqual([code, pauses], [0, [600_000, 600_000, 600_000]]);
  assert.equal(out.match(/^retell, /gm)?.length, 3);
  assert.equal(err.match(/platform-refused/g)?.length, 1);
});

test("watchRounds() reports a database that cannot be reached, and ends with 3", async () => {
  const plan: WatchPlan = {
    from: "retell",
    options: { key: "key_0123456789abcdef", baseUrl: "http://127.0.0.1:1" },
    db: join(folder({ "a-file": "" }), "a-file", "results.db"),
    json: false,
    scenarioFlags: "",
  };
  const { code, err } = await inTerminal((terminal) => watchRounds(plan, terminal));
  assert.equal(code, 3, err);
  assert.match(err, /^error\[store-/m);
});
