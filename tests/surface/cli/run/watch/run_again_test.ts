import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { WatchAnswer } from "../../../../../src/surface/cli/run/watch/messages.ts";
import { runAgain } from "../../../../../src/surface/cli/run/watch/run_again.ts";
import { folder, inTerminal } from "../../_terminal.ts";

const sdk = JSON.stringify(new URL("../../../../../mod.ts", import.meta.url).href);

const FLOW = `import { flow, scenario } from ${sdk};
export const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
export const scenarios = [
  scenario("checked", graph).says("Hi").check("is fine", () => true),
  scenario("unchecked", graph).says("Hi").ends("agent_ended"),
];
`;

/** Runs what a change since the last run reaches. */
async function runsAgain(source: string, watched?: WatchAnswer["watched"]) {
  let answer: WatchAnswer | undefined;
  const args = { positionals: { SOURCE: source }, values: { db: [":memory:"] }, switches: [] };
  const { err } = await inTerminal(async (terminal) => {
    answer = await runAgain({ args, ...(watched ? { watched } : {}) }, terminal);
    return answer.code;
  });
  return { answer, err };
}

test("runAgain() returns the nodes that each scenario visited, and whether its outcome depends on code", async () => {
  const path = folder({ "package.json": { type: "module" }, "flow.ts": FLOW });
  const { answer, err } = await runsAgain(join(path, "flow.ts"));
  assert.deepEqual(
    answer?.watched?.results,
    [
      { scenario: "checked", status: "pass", nodesVisited: ["bye"], usesCode: true },
      { scenario: "unchecked", status: "pass", nodesVisited: ["bye"], usesCode: false },
    ],
    err,
  );
  assert.equal(answer?.code, 0);
});

test("runAgain() runs a scenario with a check again when the check's file was changed, and no other", async () => {
  const path = folder({ "package.json": { type: "module" }, "flow.ts": FLOW });
  const source = join(path, "flow.ts");
  const { answer } = await runsAgain(source);
  const same = await runsAgain(source, answer?.watched);
  assert.match(same.err, /^the change reaches no scenario\n/);
  writeFileSync(source, FLOW.replace("() => true", "() => false"));
  const changed = await runsAgain(source, answer?.watched);
  assert.match(changed.err, /^the change reaches 1 of 2\n {2}checked: depends on code that was changed\n/);
});
