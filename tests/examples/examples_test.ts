import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { clinic } from "../../examples/clinic/flow.ts";
import { helpDesk } from "../../examples/help-desk/flow.ts";
import { check, emit, formats } from "../../mod.ts";
import { ROOT, runFile } from "../surface/cli/_process.ts";
import { callweave, folder } from "../surface/cli/_terminal.ts";

test("the examples' graphs have no errors and can be emitted in every format", () => {
  // retired: only written back where it was read
  const written = formats().filter(({ name, emits }) => emits && name !== "vapi-workflow");
  for (const graph of [helpDesk, clinic]) {
    assert.deepEqual(
      check(graph).filter(({ severity }) => severity === "error"),
      [],
    );
    for (const { name } of written) assert.ok(emit(graph, name).config);
  }
});

test("the help desk's JSON test cases pass, and runs show prints transcript, nodes, scores and reasons", async () => {
  const example = join(ROOT, "examples", "help-desk");
  const db = join(folder(), "results.db");
  const args = ["run", join(example, "flow.ts"), "--tests", join(example, "tests.json"), "--db", db, "--json"];
  const ran = await callweave(args);
  assert.equal(ran.code, 0, ran.out);
  const { out } = await callweave(["runs", "show", JSON.parse(ran.out).id, "--db", db]);
  for (const part of ["[ask_number]", "visited welcome -> find_topic", "scores 1.00", "only matches words", "A-1042"])
    assert.ok(out.includes(part), part);
});

test("npm run demo says that it is offline, prints a call, stores the run, writes both configs and deploys them", async () => {
  const cwd = folder();
  const { code, out, err } = await runFile(join(ROOT, "examples", "demo.ts"), [], { cwd });
  assert.equal(code, 0, err);
  assert.match(out, /offline model/);
  assert.match(out, / {2}agent {3}Hello, this is Lumen\./);
  assert.match(out, /6 passed, 0 failed, 0 with errors; stored as run \S+ in \.callweave\/results\.db/);
  for (const name of ["retell.json", "vapi-squad.json"])
    assert.ok(JSON.parse(readFileSync(join(cwd, ".callweave", "demo", name), "utf8")));
  assert.match(out, /retell +2 resources created; a second plan is empty/);
  assert.match(out, /vapi-squad +9 resources created; a second plan is empty/);
});

test("an example started with a wrong flag prints an error and exits with 2", async () => {
  const { code, err } = await runFile(join(ROOT, "examples", "clinic", "scenarios.ts"), ["--concurency", "2"]);
  assert.equal(code, 2);
  assert.match(err, /Did you mean "--concurrency"/);
});
