import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGraph } from "../../../../mod.ts";
import { readArguments } from "../../../../src/surface/cli/arguments.ts";
import { RUN_FLAGS, readRunOptions } from "../../../../src/surface/cli/run/mod.ts";

const AGENT = parseGraph({ entry_node_id: "a", nodes: { a: { state_prompt: "A" } } });

async function sharing(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const read = await readArguments(args, { positionals: [], flags: RUN_FLAGS }, "run");
  const surroundings = { env, signal: new AbortController().signal };
  return (await readRunOptions({ graph: AGENT, name: "desk" }, read, surroundings)).share ?? {};
}

const SERVER = ["--db", "http://127.0.0.1:9"];
const GITHUB = { GITHUB_RUN_ID: "77", GITHUB_RUN_ATTEMPT: "2" };

test("shards on a server share the run of the CI's build; others need --join", async () => {
  const shard = { index: 2, total: 4 };
  assert.deepEqual(await sharing(["--shard", "2/4", ...SERVER], GITHUB), { shard, joinRun: "github-77-2-desk" });
  assert.deepEqual(await sharing(["--shard", "2/4", ...SERVER], { CI_PIPELINE_ID: "5" }), {
    shard,
    joinRun: "gitlab-5-desk",
  });
  assert.deepEqual(await sharing(["--shard", "2/4", ...SERVER], { GITHUB_RUN_ID: "77" }), { shard });
  assert.deepEqual(await sharing(["--shard", "2/4", "--db", "results.db"], GITHUB), { shard });
  assert.deepEqual(await sharing(["--shard", "2/4", "--join", "mine", "--db", "results.db"], GITHUB), {
    shard,
    joinRun: "mine",
  });
  assert.deepEqual(await sharing(["--shard", "2/4", "--resume", "d20", ...SERVER], GITHUB), { shard, resume: "d20" });
  assert.deepEqual(await sharing(SERVER, GITHUB), {});
});

test("a shard that is not one of its total, and two flags for the run, are refused", async () => {
  for (const shard of ["0/2", "3/2", "1", "1/2/3", "a/b", "-1/2"])
    await assert.rejects(sharing([`--shard=${shard}`]), { code: "usage", message: /--shard is/ });
  await assert.rejects(sharing(["--resume", "d20", "--join", "mine"]), { code: "usage" });
});
