import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { connect } from "../../api/connect.ts";
import { clinic } from "../../examples/clinic/flow.ts";
import { helpDesk } from "../../examples/help-desk/flow.ts";
import { run, scenario } from "../../mod.ts";
import { emit, formatNamed } from "../../platforms/mod.ts";
import { pythonIn } from "../../scripts/live/installs.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { withGlobals, withSnippets } from "../platforms/lower/draw.ts";
import { seeded } from "../platforms/mutate.ts";
import type { ComparedCall } from "../platforms/vapi/compile/squads/compared_call.ts";
import { comparedCall } from "../platforms/vapi/compile/squads/random_graph.ts";
import { scriptOf } from "./_program_calls.ts";
import { needsSoftware } from "./_software.ts";

const GRAPHS = Number(process.env.CALLWEAVE_LIVE_GRAPHS ?? 30);
const HERE = import.meta.dirname ?? ".";
const TSX = pathToFileURL(join(HERE, "../../node_modules/tsx/dist/esm/index.mjs")).href;
const TYPES = join(HERE, "../../node_modules/@types");
const TSC = join(HERE, "../../node_modules/.bin/tsc");
const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Languages of programs, and the command that holds their calls. */
const LANGUAGES = {
  livekit: {
    software: "LiveKit Agents",
    driver: "program_driver.mjs",
    tests: () => [process.execPath, "--import", TSX, "--test", "agent_test.ts"],
    command: () => [process.execPath, "--import", TSX],
  },
  "livekit-python": {
    software: "LiveKit Agents for Python",
    driver: "program_driver.py",
    tests: (folder: string) => [pythonIn(folder), "-m", "pytest", "-q"],
    command: (folder: string) => [pythonIn(folder)],
  },
} as const;

type Language = keyof typeof LANGUAGES;

/** Writes the program of a graph into a folder. */
function writeProgram(graph: AgentGraph, format: Language, folder: string): void {
  const { config, files = [] } = emit(graph, format);
  const { fileName = "" } = formatNamed(format);
  for (const { path, text } of [{ path: fileName, text: String(config) }, ...files]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function execute(
  [command = "", ...args]: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  // else tests of Node would report to the tests around them, and end with 0
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  return await new Promise((resolve) => {
    execFile(command, args, { cwd, env, timeout: 400_000, maxBuffer: 1e8 }, (error, out, err) =>
      resolve({ code: error ? 1 : 0, output: `${error ? error.message : ""}\n${out}\n${err}`.slice(-4_000) }),
    );
  });
}

/** Random calls: every third has several global nodes with go-backs, every third snippets. */
function callOf(seed: number): ComparedCall {
  const call = comparedCall(seed);
  if (seed % 3 === 1) return withGlobals(true)(call, seeded(seed));
  return seed % 3 === 2 ? withSnippets(call, seeded(seed)) : call;
}

for (const [format, { software, driver, command, tests }] of Object.entries(LANGUAGES)) {
  const { folder: installed, options } = needsSoftware(software);
  const LIMITED = { ...options, timeout: 500_000 };

  test(`${software}: programs of random graphs take the engine's decisions and visit its nodes`, LIMITED, async () => {
    const root = mkdtempSync(join(installed, "programs_"));
    folders.push(root);
    copyFileSync(join(HERE, driver), join(root, driver));
    const calls = await Promise.all(
      Array.from({ length: GRAPHS }, async (_, index) => {
        const call = callOf(index + 1);
        const name = `seed_${index + 1}`;
        writeProgram(call.graph, format as Language, join(root, name)); // entries() does not keep the names of the keys
        const script = await scriptOf(call);
        writeFileSync(join(root, name, "call.json"), JSON.stringify(script));
        return { name, script };
      }),
    );
    const { code, output } = await execute([...command(installed), driver, ...calls.map(({ name }) => name)], root);
    assert.equal(code, 0, output);
    let [turns, visits] = [0, 0];
    for (const { name, script } of calls) {
      const { seen, faults } = JSON.parse(readFileSync(join(root, name, "result.json"), "utf8"));
      assert.deepEqual(faults, [], name);
      assert.deepEqual(
        seen,
        script.turns.map(({ expected }) => expected),
        name,
      );
      turns += script.turns.length;
      visits += script.turns.at(-1)?.expected.visited.length ?? 0;
    }
    assert.ok(turns > 2 * GRAPHS && visits > 3 * GRAPHS, `${turns} turns, ${visits} visits`);
  });

  test(
    `${software}: the tests of the examples' programs pass, and fail for a program that moves elsewhere`,
    LIMITED,
    async () => {
      const root = mkdtempSync(join(installed, "examples_"));
      folders.push(root);
      for (const graph of [helpDesk, clinic]) {
        const folder = join(root, graph.source_metadata.name ?? "");
        writeProgram(graph, format as Language, folder); // entries() does not keep the names of the keys
        const { code, output } = await execute(tests(installed), folder);
        assert.equal(code, 0, output);
      }
      const folder = join(root, "help-desk");
      const file = join(folder, formatNamed(format).fileName ?? "");
      const text = readFileSync(file, "utf8");
      const changed = text.replace(/"find_topic", "Caller gives a reason/, '"goodbye", "Caller gives a reason');
      assert.notEqual(changed, text);
      writeFileSync(file, changed);
      assert.notEqual((await execute(tests(installed), folder)).code, 0);
    },
  );
}

const { folder: installed, options } = needsSoftware("LiveKit Agents");
const LIMITED = { ...options, timeout: 500_000 };

test("LiveKit Agents: programs have the types of the framework", LIMITED, async () => {
  const root = mkdtempSync(join(installed, "types_"));
  folders.push(root);
  for (const [index, graph] of [helpDesk, clinic, callOf(1).graph, callOf(2).graph].entries()) {
    const folder = join(root, String(index));
    writeProgram(graph, "livekit", folder);
    const { code, output } = await execute([TSC, "-p", ".", "--typeRoots", TYPES], folder);
    assert.equal(code, 0, output);
  }
});

test("LiveKit Agents: scenarios call the worker of a program, whose agents are the nodes", LIMITED, async () => {
  const root = mkdtempSync(join(installed, "worker_"));
  folders.push(root);
  writeProgram(helpDesk, "livekit", root);
  copyFileSync(join(HERE, "program_worker.ts.txt"), join(root, "worker.ts"));
  const asks = scenario("asks")
    .says("Where is order A-1042?", "I ask for the manager!", "Goodbye.")
    .visits("welcome", "find_topic", "look_up", "tell_status", "manager", "goodbye")
    .calls("look_up_order", { order_number: "A-1042" })
    .includes("Lumen", "order A-1042 is shipped and arrives on Friday", "Say goodbye")
    .ends("agent_ended");
  const agent = connect.livekit({
    command: [process.execPath, "--import", TSX, join(root, "worker.ts")],
    name: "desk",
  });
  const report = await run(agent, [asks], { store: false, connection: { allowRealTools: true } });
  assert.deepEqual(statuses(report), ["pass"], JSON.stringify(report.results[0]?.transcript));
});
