import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CASE, callweave, folder, GRAPH } from "./_terminal.ts";

/** Two ways from the greeting; the case takes one of them. */
const AGENT = {
  ...GRAPH,
  nodes: {
    ...GRAPH.nodes,
    greet: {
      ...GRAPH.nodes.greet,
      transitions: [
        ...GRAPH.nodes.greet.transitions,
        { target_node_id: "desk", condition: { type: "llm_prompt", value: "Caller wants to complain" } },
      ],
    },
    desk: { node_type: "end", state_prompt: "Apologize." },
    island: { node_type: "end", state_prompt: "Nobody hears this." },
  },
};

/** Runs the case twice and returns the database, the ids of the runs and what the last run printed. */
async function twoRuns(second: object = AGENT, flags: readonly string[] = []) {
  const path = folder({ "agent.json": AGENT, "second.json": second, "tests.json": [CASE] });
  const db = join(path, "results.db");
  const run = (name: string, more: readonly string[]) =>
    callweave(["run", join(path, name), "--tests", join(path, "tests.json"), "--db", db, ...more]);
  await run("agent.json", []);
  const last = await run("second.json", flags);
  const { out } = await callweave(["runs", "list", "--db", db, "--json"]);
  const ids: string[] = JSON.parse(out).map(({ id }: { id: string }) => id);
  return { path, db, ids: ids.reverse(), last };
}

const SHARES = ["  nodes        2 of 3  66.6 %", "  transitions  1 of 2    50 %", "  total        3 of 5    60 %"];

test("run --min-coverage prints the coverage below the report and fails when it is lower", async () => {
  const { last } = await twoRuns(AGENT, ["--min-coverage", "60.5"]);
  assert.equal(last.code, 1);
  const printed = last.out.slice(last.out.indexOf("coverage of 1 call"));
  assert.deepEqual(printed.split("\n").slice(0, 5), [
    "coverage of 1 call",
    ...SHARES,
    "coverage is 60 %, and --min-coverage asks for 60.5 %",
  ]);
  const { code, out, err } = (await twoRuns(AGENT, ["--min-coverage", "60", "--json"])).last;
  assert.equal(code, 0);
  assert.doesNotThrow(() => JSON.parse(out));
  assert.match(err, /\ncoverage of 1 call\n/);
});

test("coverage adds runs up, names the way to what they lack, and leaves out what no call can reach", async () => {
  const { path, db, ids } = await twoRuns();
  const picture = join(path, "coverage.svg");
  const { code, out } = await callweave(["coverage", ...ids, "--db", db, "--svg", picture, "--min-coverage", "60"]);
  assert.equal(code, 0);
  assert.equal(
    out,
    [
      "coverage of 2 calls",
      ...SHARES,
      "",
      "not covered: 2",
      "  transition greet -> desk: Caller wants to complain",
      '      The call starts at greet. At greet this is true: "Caller wants to complain", so the model picks desk.',
      "  node desk",
      '      The call starts at greet. At greet this is true: "Caller wants to complain", so the model picks desk.',
      "",
      "not counted, because no call can reach it: 1",
      "  node island",
      '      no call reaches node "island"',
      "",
    ].join("\n"),
  );
  assert.match(readFileSync(picture, "utf8"), />✗ Caller wants to</);
  const low = await callweave(["coverage", ids[0] ?? "", "--db", db, "--min-coverage", "61"]);
  assert.equal(low.code, 1);
});

test("coverage --json prints the coverage, what it lacks, and the shares", async () => {
  const { db, ids } = await twoRuns();
  const { out } = await callweave(["coverage", ids[0] ?? "", "--db", db, "--json"]);
  const { coverage, uncovered, shares, percent } = JSON.parse(out);
  assert.deepEqual(coverage.counts.total, { covered: 3, total: 6 });
  assert.deepEqual(
    uncovered.map(({ kind }: { kind: string }) => kind),
    ["found", "found", "none"],
  );
  assert.deepEqual([shares.at(-1), percent], [{ kind: "total", covered: 3, total: 5, percent: 60 }, 60]);
});

test("coverage refuses runs of several versions of an agent, or matches them by id", async () => {
  const second = { ...AGENT, nodes: { ...AGENT.nodes, bye: { node_type: "end", state_prompt: "Say goodbye!" } } };
  const { db, ids } = await twoRuns(second);
  const refused = await callweave(["coverage", ...ids, "--db", db]);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /is of another version of the agent than run .*--by-id/);
  const { code, out } = await callweave(["coverage", ...ids, "--by-id", "--db", db]);
  assert.equal(code, 0);
  assert.match(out, /^coverage of 2 calls\n {2}nodes +2 of 3 /);
  assert.match((await callweave(["coverage", "--db", db])).err, /RUN is missing/);
  assert.match((await callweave(["coverage", "1", "--min-coverage", "101"])).err, /--min-coverage is "101"/);
});
