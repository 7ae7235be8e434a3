import assert from "node:assert/strict";
import { test } from "node:test";
import { replay } from "../../../api/calls.ts";
import { flow, openStore, run, scenario, scripted } from "../../../mod.ts";

const DESK = flow("desk")
  .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("bye", "Caller is done")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

/** A model that goes to a node in each of three calls. */
function going(to: string) {
  const move = { objectives_complete: true, transition_to: to };
  return scripted({ respond: ["Hi", "Bye", "Hi", "Bye", "Hi", "Bye"], transition: [move, move, move] });
}

test("replay() goes on after a call that differs", async () => {
  await using store = await openStore(":memory:");
  const leaves = scenario("leaves", DESK).says("That is all").includes("Hi").repeat(3);
  const limits = { concurrency: 1 };
  const { id } = await run(DESK, [leaves], { models: { agent: going("bye") }, store, limits });
  const report = await replay(id, DESK, { models: { agent: going("none") }, store, limits });
  assert.deepEqual(
    report.results.map(({ trial, status }) => [trial, status]),
    [
      [1, "fail"],
      [2, "fail"],
      [3, "fail"],
    ],
  );
});
