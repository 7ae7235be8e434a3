import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CASE, callweave, folder, GRAPH } from "../_terminal.ts";

test("run rejects a JUnit path of a file that it reads, before the first call", async () => {
  const cwd = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const at = (name: string) => join(cwd, name);
  symlinkSync("tests.json", at("link.json"));
  const flags = ["--tests", at("tests.json"), "--db", at("runs.db")];
  const run = (junit: string, ...more: string[]) =>
    callweave(["run", at("agent.json"), ...flags, "--junit", junit, ...more]);
  assert.equal((await run(at("report.xml"))).code, 0);
  const before = readFileSync(at("runs.db"));
  for (const [junit, what, ...more] of [
    [at("runs.db"), "the results database"],
    [`${cwd}/./runs.db`, "the results database"],
    [at("link.json"), "the scenarios"],
    [at("agent.json"), "the agent"],
    [at("calls.json"), "the recordings", "--recordings", at("calls.json")],
  ] as const) {
    const { code, err } = await run(junit, ...more);
    assert.equal(code, 2, junit);
    assert.match(err, new RegExp(`error\\[usage\\].*--junit would overwrite ${what}`));
  }
  assert.deepEqual(readFileSync(at("runs.db")), before);
  assert.deepEqual(JSON.parse(readFileSync(at("tests.json"), "utf8")), [CASE]);
});

test("import and emit do not overwrite their input", async () => {
  const retell = {
    start_speaker: "agent",
    start_node_id: "a",
    model_choice: { type: "cascading", model: "gpt-4.1" },
    nodes: [{ id: "a", type: "end", instruction: { type: "prompt", text: "Say goodbye." } }],
  };
  const cwd = folder({ "agent.json": retell });
  const path = join(cwd, "agent.json");
  const { code, err } = await callweave(["import", path, "--out", path]);
  assert.equal(code, 2, err);
  assert.match(err, /--out would overwrite the agent/);
  assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), retell);
  const emitted = await callweave(["emit", join(cwd, "flow.ts"), "--to", "retell", "--out", join(cwd, "flow.ts")]);
  assert.match(emitted.err, /--out would overwrite the flow/);
});
