import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { offline } from "../../../src/call/models/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { run } from "../../../src/run/runner/mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { callweave, folder } from "./_terminal.ts";

/** An agent that says goodbye once the caller has said yes; in another version it repeats itself. */
function agent(target: string) {
  const yes = { type: "llm_prompt", value: "Caller says yes" };
  return {
    entry_node_id: "ask",
    nodes: {
      ask: {
        id: "ask",
        node_type: "conversation",
        state_prompt: "Ask whether all is well.",
        transitions: [{ target_node_id: target, condition: yes }],
      },
      again: { id: "again", node_type: "conversation", state_prompt: "Ask again.", transitions: [] },
      bye: { id: "bye", node_type: "end", state_prompt: "Say goodbye.", transitions: [] },
    },
  };
}

async function recorded(path: string): Promise<string> {
  await using store = await openStore(path, { spool: false });
  const scenarios = ["first", "second"].map((name) => ({
    name,
    says: ["Yes, the caller says yes"],
    ends: "agent_ended" as const,
  }));
  const { id } = await run(parseGraph(agent("bye")), scenarios, { models: { agent: offline() }, store });
  return id;
}

test("replay exits with 0 on the same agent, with 1 where a call diverges, and stores a run of kind replay", async () => {
  const path = join(folder(), "results.db");
  const id = await recorded(path);
  const same = await callweave(["replay", id, "--db", path, "--model", "offline"]);
  assert.deepEqual([same.code, same.err], [0, ""]);
  assert.match(same.out, /2 passed/);

  const file = join(folder(), "agent.vt.json");
  writeFileSync(file, JSON.stringify(agent("again")));
  const other = await callweave(["replay", id, file, "--db", path, "--model", "offline", "--only", "first"]);
  assert.equal(other.code, 1, other.err);
  assert.match(other.out, /diverged from the recording in turn 1 at "ask": the path/);
  assert.match(other.out, /recorded {2}ask -> bye: Caller says yes \(transition 0\)/);
  assert.match(other.out, /replayed {2}ask -> again: Caller says yes \(transition 0\)/);

  await using store = await openStore(path, { spool: false });
  const [newest] = await store.listRuns({ kind: "replay", limit: 1 });
  const shown = await callweave(["runs", "show", newest?.id ?? "", "--db", path]);
  assert.match(shown.out, /Replay of \w+, strict\n {2}diverged from the recording in turn 1/);
  const json = await callweave(["replay", id, file, "--db", path, "--model", "offline", "--json"]);
  assert.equal(JSON.parse(json.out).results[0].replay.divergences[0].nodeId, "ask");
  const page = join(folder(), "page.html");
  await callweave(["replay", id, file, "--db", path, "--model", "offline", "--reporter", `html:${page}`]);
});

test("replay refuses a status that does not exist", async () => {
  const { code, err } = await callweave(["replay", "01", "--status", "green"]);
  assert.equal(code, 2);
  assert.match(err, /--status is "green"/);
});
