import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { flow, run, scenario } from "../../../mod.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { callweave, folder } from "./_terminal.ts";

const TIMELINE = {
  name: "lamp",
  events: [
    { at_ms: 0, type: "message", role: "agent", text: "Lumen, good morning." },
    { at_ms: 1000, type: "message", role: "caller", text: "Where is my lamp?" },
  ],
};

test("evaluate judges files and stored runs, exits with 1 where a call fails, and stores with --save", async () => {
  const path = join(folder(), "results.db");
  const file = join(folder(), "call.json");
  writeFileSync(file, JSON.stringify(TIMELINE));
  const good = await callweave([
    "evaluate",
    file,
    "--includes",
    "good morning",
    "--model",
    "offline",
    "--save",
    "--db",
    path,
  ]);
  assert.deepEqual([good.code, good.err], [0, ""]);
  assert.match(good.out, /1 passed/);

  await using store = await openStore(path, { spool: false });
  const [stored] = await store.listRuns({ limit: 5 });
  const bad = await callweave([
    "evaluate",
    stored?.id ?? "",
    "--excludes",
    "lumen",
    "--model",
    "offline",
    "--db",
    path,
  ]);
  assert.equal(bad.code, 1, bad.err);
  assert.match(bad.out, /excludes lumen\n +found +said in/);
  assert.equal((await store.listRuns({ limit: 5 })).length, 1);

  const words = join(folder(), "call.txt");
  writeFileSync(words, "Agent: Lumen, good morning.\nCaller: Where is my lamp?\n");
  const text = await callweave([
    "evaluate",
    words,
    "--includes",
    "good morning",
    "--visits",
    "greet",
    "--model",
    "offline",
  ]);
  assert.equal(text.code, 0, text.err);
  assert.match(text.err, /not checked in 1 calls, which lack the data: visits greet/);
});

test("evaluate without anything to judge by is wrong usage", async () => {
  const file = join(folder(), "call.json");
  writeFileSync(file, JSON.stringify(TIMELINE));
  const { code, err } = await callweave(["evaluate", file, "--model", "offline"]);
  assert.equal(code, 2);
  assert.match(err, /there are no criteria or expectations/);
});

test("evaluate --judge-flow judges the path of a stored run by its agent", async () => {
  const path = join(folder(), "results.db");
  const desk = flow("desk")
    .conversation("greet", {
      prompt: "Greet the caller.",
      next: ({ to }) => [to("bills", "Caller asks about a bill"), to("bye", "Caller says goodbye")],
    })
    .end("bills", { prompt: "Say that the bill is paid." })
    .end("bye", { prompt: "Say goodbye." })
    .compile();
  const { id } = await run(desk, [scenario("asks", desk).says("I ask about a bill").visits("greet")], { store: path });
  const { code, out, err } = await callweave([
    ...["evaluate", id, "--judge-flow", "--model", "offline", "--json", "--db", path],
  ]);
  assert.equal(code, 0, err);
  const [result] = JSON.parse(out).results;
  assert.deepEqual(
    result.verdicts.map(({ criterion }: { criterion: string }) => criterion),
    ["The call took the right path"],
  );
});
