import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ROOT } from "../_process.ts";
import { callweave, folder } from "../_terminal.ts";

const EXAMPLE = join(import.meta.dirname ?? ".", "..", "..", "..", "..", "examples", "help-desk");
const [FLOW, SCENARIOS] = [join(EXAMPLE, "flow.ts"), join(EXAMPLE, "scenarios.ts")];

interface Desk {
  readonly path: string;
  readonly db: string;
  readonly runId: string;
}

/** The help desk's scenarios, run once by the offline model. */
let desk: Promise<Desk> | undefined;
function heldDesk(): Promise<Desk> {
  desk ??= runCall();
  return desk;
}

async function runCall(): Promise<Desk> {
  const path = folder({ "package.json": { type: "module" } });
  const db = join(path, "results.db");
  const { code, out, err } = await callweave(["run", FLOW, "--scenarios", SCENARIOS, "--db", db, "--json"]);
  assert.equal(code, 0, err);
  return { path, db, runId: JSON.parse(out).id };
}

test("calls to-scenario --script writes a module whose calls pass again on an unchanged agent", async () => {
  const { path, db, runId } = await heldDesk();
  const out = join(path, "from_calls.ts");
  const written = await callweave([
    "calls",
    "to-scenario",
    runId,
    "--agent",
    FLOW,
    "--script",
    "--out",
    out,
    "--db",
    db,
  ]);
  assert.equal(written.code, 0, written.err);
  assert.match(written.err, /wrote \S+from_calls\.ts: \d+ scenarios to edit\nnext: npx callweave run/);
  const text = readFileSync(out, "utf8");
  assert.match(text, /import \{ helpDesk \} from "\S+flow\.ts";/);
  assert.match(text, /\.says\(/);
  // the folder has no node_modules
  const local = text.replace('"callweave"', JSON.stringify(pathToFileURL(join(ROOT, "mod.ts")).href));
  assert.notEqual(local, text);
  writeFileSync(out, local);
  const again = await callweave(["run", FLOW, "--scenarios", out, "--db", db, "--json"]);
  const { counts, scenarios } = JSON.parse(again.out);
  assert.deepEqual([again.code, counts.fail, counts.error], [0, 0, 0], again.out.slice(0, 3000));
  assert.equal(counts.pass, scenarios.length);
});

test("calls to-scenario writes test cases, by a persona, that can be loaded", async () => {
  const { path, db, runId } = await heldDesk();
  const out = join(path, "from_calls.json");
  const { code, err } = await callweave(["calls", "to-scenario", runId, "--out", out, "--db", db]);
  assert.equal(code, 0, err);
  const { scenarios } = JSON.parse(readFileSync(out, "utf8"));
  assert.ok(scenarios.every((each: { user_prompt?: string }) => each.user_prompt?.startsWith("You call ")));
  const estimated = await callweave(["run", FLOW, "--tests", out, "--estimate", "--db", db]);
  assert.equal(estimated.code, 0, estimated.err);
});

test("calls to-scenario takes a result's id, prints without --out, and replaces a file only with --force", async () => {
  const { path, db, runId } = await heldDesk();
  const { results } = JSON.parse((await callweave(["runs", "show", runId, "--json", "--db", db])).out);
  const printed = await callweave(["calls", "to-scenario", results[0].id, "--name", "one call", "--db", db]);
  assert.equal(printed.code, 0, printed.err);
  assert.match(printed.out, /scenario\("one call"\)/);

  const out = join(path, "taken.ts");
  writeFileSync(out, "// mine\n");
  const args = ["calls", "to-scenario", results[0].id, "--out", out, "--db", db];
  const refused = await callweave(args);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /taken\.ts" exists/);
  assert.equal(readFileSync(out, "utf8"), "// mine\n");
  assert.equal((await callweave([...args, "--force"])).code, 0);
  assert.match(readFileSync(out, "utf8"), /callweave/);
});

test("calls to-scenario names what it cannot use, and writes nothing", async () => {
  const { path, db, runId } = await heldDesk();
  const call = (...args: string[]) => callweave(["calls", "to-scenario", ...args, "--db", db]);
  assert.match((await call("01NONE")).err, /01NONE/);
  assert.match((await call(runId, "--scenario", "no such")).err, /there is no call "no such"/);
  assert.match((await call(runId, "--name", "x")).err, /--name is for one call/);
  assert.equal((await call(runId, "--out", join(path, "a.txt"))).code, 2);
  assert.equal(existsSync(join(path, "a.txt")), false);
});

test("calls to-scenario keeps the tools of a call that was imported without an agent", async () => {
  const tool = { name: "look_up", arguments: '{"id":"A-4815"}' };
  const messages = [
    { role: "user", content: "Where is my order A-4815?" },
    { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: tool }] },
    { role: "tool", tool_call_id: "1", content: '{"state":"sent"}' },
    { role: "assistant", content: "It was sent." },
  ];
  const path = folder({ "calls.json": { messages } });
  const db = join(path, "results.db");
  const imported = await callweave(["calls", "import", join(path, "calls.json"), "--db", db]);
  assert.equal(imported.code, 0, imported.err);
  const [run] = JSON.parse((await callweave(["runs", "list", "--json", "--db", db])).out);
  const { code, out, err } = await callweave(["calls", "to-scenario", run.id, "--json", "--db", db]);
  assert.equal(code, 0, err);
  const [{ scenario, notes }] = JSON.parse(out);
  assert.deepEqual(scenario.tool_mocks, [
    { tool_name: "look_up", input_match_rule: { type: "any" }, output: { state: "sent" }, result: true },
  ]);
  assert.deepEqual(scenario.calls, [{ tool: "look_up", args: { id: "A-4815" } }]);
  assert.deepEqual(notes, ["The call's path is not known: add .visits(…) with the nodes that it must reach."]);
});
