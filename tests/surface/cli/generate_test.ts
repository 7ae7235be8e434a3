import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CASE, callweave, folder, GRAPH } from "./_terminal.ts";

const HELP_DESK = join(import.meta.dirname ?? ".", "..", "..", "..", "examples", "help-desk", "flow.ts");

test("generate prints a module of scenarios, and what they cover to standard error", async () => {
  const { code, out, err } = await callweave(["generate", HELP_DESK, "--only", "manager"]);
  assert.equal(code, 0, err);
  assert.match(
    out,
    /^import \{ runAsProgram, scenario \} from "callweave";\nimport \{ helpDesk \} from "\.\S*flow\.ts";\n/,
  );
  assert.match(out, /\n {2}scenario\("back from manager: Caller is ready to continue", helpDesk\)\n {4}\.persona\(/);
  assert.match(out, /\nawait runAsProgram\(import\.meta, helpDesk, scenarios\);\n$/);
  assert.match(err, /^covered before: 0 of 24 transitions\ncovered after: {2}\d+ of 24 transitions, with \d generated/);
});

test("generate writes test cases that can be loaded, and covers nothing twice", async () => {
  const path = folder({ "agent.json": GRAPH });
  const [agent, tests] = [join(path, "agent.json"), join(path, "tests.json")];
  const { code, out, err } = await callweave(["generate", agent, "--out", tests]);
  assert.equal(code, 0, err);
  assert.match(
    out,
    /^covered before: 0 of 1 transition\ncovered after: {2}1 of 1 transition, with 1 generated scenario\n/,
  );
  assert.match(err, /next: npx callweave run \S+agent\.json --tests \S+tests\.json\n$/);
  const { $schema, scenarios } = JSON.parse(readFileSync(tests, "utf8"));
  assert.match($schema, /callweave\/schemas\/scenarios\.json$/);
  assert.deepEqual(scenarios, [
    {
      name: "greet -> bye: Caller gives their name",
      user_prompt: "You call the agent. First you give your name.",
      visits: ["greet", "bye"],
      ends: "agent_ended",
      offline_path: [{ says: "I give my name.", moves: [{ to: "bye" }] }],
    },
  ]);
  const offline = await callweave(["run", agent, "--tests", tests, "--db", join(path, "results.db")]);
  assert.equal(offline.code, 0, offline.err);
  assert.match(offline.out.replaceAll(/\s+/g, " "), /1 passed .* 1 call was played along the path of the scenario/);
  const again = await callweave(["generate", agent, "--scenarios", tests, "--out", join(path, "more.json")]);
  assert.match(again.out, /^covered before: 1 of 1 transition\n/);
  assert.equal(existsSync(join(path, "more.json")), false);
});

test("generate overwrites no file, and names nodes and files that it cannot use", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const agent = join(path, "agent.json");
  const taken = await callweave(["generate", agent, "--out", join(path, "tests.json")]);
  assert.equal(taken.code, 2);
  assert.match(taken.err, /tests\.json" exists/);
  assert.deepEqual(JSON.parse(readFileSync(join(path, "tests.json"), "utf8")), [CASE]);
  assert.match((await callweave(["generate", agent, "--out", join(path, "a.txt")])).err, /ends in \.ts or \.json/);
  assert.match((await callweave(["generate", agent, "--only", "gret"])).err, /no node "gret".*\n?.*greet/);
});

test("generate --json prints what generateScenarios() returns", async () => {
  const path = folder({ "agent.json": GRAPH });
  const { out } = await callweave(["generate", join(path, "agent.json"), "--json"]);
  const { scenarios, unreachable, unshown, coverage } = JSON.parse(out);
  assert.deepEqual(coverage, { transitions: 1, before: 0, after: 1 });
  assert.deepEqual([unreachable, unshown], [[], []]);
  assert.equal(scenarios[0].target.name, scenarios[0].scenario.name);
  assert.equal(scenarios[0].path.steps[0].kind, "open");
});

test("generate --model offline says that a real model has to write personas", async () => {
  const path = folder({ "agent.json": GRAPH });
  const { code, err } = await callweave(["generate", join(path, "agent.json"), "--model", "offline"]);
  assert.equal(code, 2);
  assert.match(err, /the offline model has no rules for it/);
});

test("generate says how its scenarios join the others, if there are others", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [{ name: "greets", says: ["Hi"], visits: ["greet"] }] });
  const command = ["generate", join(path, "agent.json"), "--scenarios", join(path, "tests.json")];
  const { err } = await callweave([...command, "--out", join(path, "more.ts")]);
  assert.match(err, /\nto run them with the others, add the file to "scenarios" of callweave\.config\.json\n$/);
  const asCases = await callweave([...command, "--out", join(path, "more.json")]);
  assert.match(asCases.err, /add the file to "tests" of callweave\.config\.json\n$/);
});
