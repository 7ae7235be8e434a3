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
async function runsAgain(
  source: string,
  watched?: WatchAnswer["watched"],
  values: { readonly [flag: string]: readonly string[] } = {},
) {
  let answer: WatchAnswer | undefined;
  const args = { positionals: { SOURCE: source }, values: { db: [":memory:"], ...values }, switches: [] };
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

const TALK = `import { flow, scenario } from ${sdk};
export const graph = flow("talk", { beginMessage: "Hello, how can I help?" })
  .conversation("greet", { prompt: "Ask what it is about.", next: ({ to }) => [to("bye", "Caller says goodbye")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
export const scenarios = [
  scenario("asks", graph).persona("You want to know the price.").includes("how can I help"),
  scenario("waits", graph).persona("You want to know the price of a lamp.").includes("how can I help"),
];
`;

test("runAgain() with callers of a set runs those scenarios again whose documents changed, as each of them", async () => {
  const path = folder({ "package.json": { type: "module" }, "flow.ts": TALK });
  const source = join(path, "flow.ts");
  const callers = { callers: ["angry, in-a-hurry"] };
  const { answer, err } = await runsAgain(source, undefined, callers);
  assert.deepEqual(
    answer?.watched?.results.map(({ scenario, status }) => [scenario, status]),
    ["asks (angry)", "asks (in-a-hurry)", "waits (angry)", "waits (in-a-hurry)"].map((name) => [name, "pass"]),
    err,
  );
  const same = await runsAgain(source, answer?.watched, callers);
  assert.match(same.err, /^the change reaches no scenario\n/);
  // another file: this process loads a module once
  const edited = join(path, "edited.ts");
  writeFileSync(edited, TALK.replace("price of a lamp", "price of a table"));
  const changed = await runsAgain(edited, answer?.watched, callers);
  assert.match(
    changed.err,
    /^the change reaches 2 of 4\n {2}waits \(angry\): was changed\n {2}waits \(in-a-hurry\): was changed\n/,
  );
  assert.match(changed.err, /4 of 4 scenarios pass, 2 of them not run again\n$/);
});
