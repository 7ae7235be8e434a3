import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { WatchAnswer } from "../../../../../src/surface/cli/run/watch/messages.ts";
import { runAgain } from "../../../../../src/surface/cli/run/watch/run_again.ts";
import { folder, inTerminal } from "../../_terminal.ts";

const sdk = JSON.stringify(new URL("../../../../../mod.ts", import.meta.url).href);

test("runAgain() returns the nodes that each scenario visited, and whether its outcome depends on code", async () => {
  const path = folder({
    "package.json": { type: "module" },
    "flow.ts": `import { flow, scenario } from ${sdk};
export const graph = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
export const scenarios = [
  scenario("checked", graph).says("Hi").check("is fine", () => true),
  scenario("unchecked", graph).says("Hi").ends("agent_ended"),
];
`,
  });
  let answer: WatchAnswer | undefined;
  const values = { db: [":memory:"] };
  const args = { positionals: { SOURCE: join(path, "flow.ts") }, values, switches: [] };
  const { err } = await inTerminal(async (terminal) => {
    answer = await runAgain({ args }, terminal);
    return answer.code;
  });
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
