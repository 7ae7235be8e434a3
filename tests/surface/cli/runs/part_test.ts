import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { CASE, callweave, folder, GRAPH } from "../_terminal.ts";

const CASES = [CASE, { ...CASE, name: "gives another name", says: ["My name is Tom Weber."] }];

/** Runs the two scenarios, or a part of them, and returns the run's id. */
async function project() {
  const path = folder({ "flow.json": GRAPH, "cases.json": CASES });
  const db = join(path, "results.db");
  const started = async (...args: readonly string[]) => {
    const ran = await callweave(
      ["run", "flow.json", "--tests", "cases.json", "--db", db, "--reporter", "json", ...args],
      { cwd: path },
    );
    assert.equal(ran.code, 0, ran.err);
    const id: unknown = JSON.parse(ran.out).id;
    return String(id);
  };
  return { started, cli: (...args: readonly string[]) => callweave([...args, "--db", db], { cwd: path }) };
}

test("a run of selected scenarios is no baseline, and a comparison with it is not passed", async () => {
  const { started, cli } = await project();
  const whole = await started();
  const part = await started("--grep", "another");
  const refused = await cli("runs", "baseline", "set", "main", part);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /partial-run.*1 of 2 scenarios were selected, without "gives a name"/);
  assert.equal((await cli("runs", "baseline", "set", "main", whole)).code, 0);
  const compared = await cli("runs", "compare", "main", part);
  assert.equal(compared.code, 3);
  assert.match(compared.err, /not compared as a whole: run .*without "gives a name"/);
  assert.equal((await cli("runs", "compare", "main", await started())).code, 0);
});

test("--min-coverage is not met by a part", async () => {
  const { started, cli } = await project();
  const whole = await started();
  const part = await started("--scenario", "gives a name");
  assert.equal((await cli("coverage", whole, "--min-coverage", "50")).code, 0);
  const covered = await cli("coverage", part, "--min-coverage", "50");
  assert.equal(covered.code, 1);
  assert.match(covered.err, /coverage is not decided: .*without "gives another name"/);
  assert.equal((await cli("coverage", part, whole, "--min-coverage", "50")).code, 0);
  const asked = await cli("run", "flow.json", "--tests", "cases.json", "--grep", "another", "--min-coverage", "50");
  assert.equal(asked.code, 2);
  assert.match(asked.err, /--min-coverage needs the calls of all scenarios/);
});
