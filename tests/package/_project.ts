import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, runProgram } from "../surface/cli/_process.ts";

const FLOW = `import { flow } from "callweave";

export const graph = flow("small", { prompt: "You answer the phone." })
  .conversation("ask", { prompt: "Ask for the name.", next: ({ to }) => [to("bye", "Caller gives their name")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
`;
const PROGRAM = `import { emit, openStore, run, scenario } from "callweave";
import { checkGraph } from "callweave/analysis";
import { readCalls } from "callweave/calls";
import { connect } from "callweave/connect";
import { requireAcceptedLosses } from "callweave/deploy";
import { formatNamed } from "callweave/platforms";
import { formatReport } from "callweave/reporters";
import { passHat } from "callweave/statistics";
import { graph } from "./flow.ts";

const store = await openStore("results.db");
const report = await run(graph, [scenario("says a name", graph).says("I am Anna Fischer.").visits("bye")], { store });
const stored = await store.listRuns();
await store.close();
const formats = Object.fromEntries(
  ["retell", "vapi-squad", "graph"].map((format) => [format, emit(graph, format).config]),
);
const [result] = report.results;
console.log(JSON.stringify({ counts: report.counts, said: result?.transcript.map(({ content }) => content), formats, stored: stored.length > 0, format: formatNamed("retell").name, report: formatReport(report).includes("1 passed"), findings: checkGraph(graph).length, calls: typeof readCalls, connects: typeof connect.custom, passHat: passHat(1, 2, 1), deploys: typeof requireAcceptedLosses }));
`;
const SCENARIOS = `import { runAsProgram, scenario } from "callweave";
import { graph } from "./flow.ts";

export const scenarios = [scenario("says a name", graph).says("I am Anna Fischer.").visits("bye")];
await runAsProgram(import.meta, graph, scenarios);
`;
const TYPED = `import type { Loss, Message, Style, Verdict } from "callweave";
import type { Coverage } from "callweave/analysis";
import type { RecordedCall } from "callweave/calls";
import type { NotChecked } from "callweave/connect";
import type { DeployPlan } from "callweave/deploy";
import type { Format, RetellTestCase } from "callweave/platforms";
import type { Reporter } from "callweave/reporters";
import type { Interval } from "callweave/statistics";
import type { CallMatchers, TestScenariosOptions } from "callweave/testing";
import type { Declarations, Usage } from "callweave/types";
${FLOW}
export type Used = Loss | Message | Usage | Verdict | Format | RetellTestCase | Style | Reporter | CallMatchers | TestScenariosOptions | Declarations | Coverage | RecordedCall | DeployPlan | Interval | NotChecked;

// @ts-expect-error node "nowhere" is not declared
flow("wrong").conversation("ask", { prompt: "Ask.", next: ({ to }) => [to("nowhere")] }).compile();
`;
const COMPILER_OPTIONS = {
  strict: true,
  module: "NodeNext",
  target: "ES2022",
  lib: ["ES2023", "ESNext.Disposable", "DOM", "DOM.Iterable"],
  noEmit: true,
  types: [],
  skipLibCheck: false,
  allowImportingTsExtensions: true,
};
const CLI = join("node_modules", "callweave", "dist", "src", "surface", "cli", "main.js");

type Command = readonly string[];

/** Writes what a user of the package writes: a flow, its scenarios, and a program. */
export function writeSources(project: string): void {
  for (const [name, text] of Object.entries({ flow: FLOW, program: PROGRAM, scenarios: SCENARIOS, typed: TYPED }))
    writeFileSync(join(project, `${name}.ts`), text);
}

/** Checks, emits and runs the flow, and reads a module with a syntax error; `node` starts a JavaScript file. */
export async function useCommands(project: string, node: Command): Promise<void> {
  const start = (...args: Command) => succeed([...node, CLI, ...args], project);
  assert.match((await start("check", "flow.ts")).out, /no findings/);
  assert.ok(JSON.parse((await start("emit", "flow.ts", "--to", "retell")).out));
  const { counts } = JSON.parse((await start("run", "flow.ts", "--scenarios", "scenarios.ts", "--json")).out);
  assert.equal(counts.pass, 1);
  writeFileSync(join(project, "wrong.ts"), "export const graph: = 3;");
  const wrong = await end([...node, CLI, "check", "wrong.ts"], project);
  assert.match(wrong.err, /error\[module-failed\].*wrong\.ts:1:\d+ — Fix the module's syntax/);
}

/** Emits the flow with the program that the package names as `callweave`, and asks for a format that there is not. */
export async function useBinary(project: string, node: Command): Promise<void> {
  const own = join(project, "node_modules", "callweave");
  const { bin } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  const program = join(own, bin.callweave);
  assert.match(readFileSync(program, "utf8"), /^#!\/usr\/bin\/env node\n/);
  assert.ok(JSON.parse((await succeed([...node, program, "emit", "flow.ts", "--to", "retell"], project)).out));
  const bad = await end([...node, program, "emit", "flow.ts", "--to", "retel"], project);
  assert.equal(bad.code, 2);
  assert.match(bad.err, /error\[unknown-format\]/);
  // PNGs need packages that are installed only by those who draw them
  const drawn = await end([...node, program, "draw", "flow.ts", "--out", "flow.png"], project);
  assert.equal(drawn.code, 2);
  assert.match(drawn.err, /error\[missing-package\].*npm install @resvg\/resvg-wasm @fontsource\/dejavu-sans/);
  const run = ["run", "flow.ts", "--scenarios", "scenarios.ts"];
  const traced = await end([...node, program, ...run, "--telemetry"], project);
  assert.equal(traced.code, 2);
  const queued = await end([...node, program, ...run, "--queue", "redis://127.0.0.1:1"], project);
  assert.equal(queued.code, 2);
  assert.match(queued.err, /error\[missing-package\].*npm install bullmq ioredis/);
  const live = ["run", "--agent", "livekit:ws://127.0.0.1:1", "--scenarios", "scenarios.ts"];
  const keys = { LIVEKIT_API_KEY: "APItests", LIVEKIT_API_SECRET: "secret-of-the-tests" };
  const met = await end([...node, program, ...live], project, keys);
  assert.equal(met.code, 2);
  assert.match(met.err, /error\[missing-package\].*npm install @livekit\/rtc-node/);
  // calls over WebRTC name both of their packages
  for (const agent of ["pipecat:http://127.0.0.1:1/api/offer", "retell:agent_1"]) {
    const called = ["run", "--agent", agent, "--voice", "--scenarios", "scenarios.ts"];
    const dialled = await end([...node, program, ...called], project, { RETELL_API_KEY: "key-of-the-tests" });
    assert.equal(dialled.code, 2);
    assert.match(dialled.err, /error\[missing-package\].*npm install werift opusscript/);
  }
  assert.match(traced.err, /error\[missing-package\].*npm install @opentelemetry\/api/);
}

/** Runs the program with each command, and compares what each printed. */
export async function compareRuntimes(project: string, commands: readonly Command[]): Promise<void> {
  const printed: string[] = [];
  for (const command of commands) printed.push((await succeed([...command, "program.ts"], project)).out);
  const [first = "", ...others] = printed.map((text) => JSON.parse(text));
  assert.equal(JSON.stringify(first).includes('"pass":1'), true, JSON.stringify(first));
  for (const [index, other] of others.entries()) assert.deepEqual(other, first, commands[index + 1]?.join(" "));
}

/** Compiles the sources together with the declarations of the package and of its dependencies. */
export async function compileDeclarations(project: string, compiler: Command): Promise<void> {
  const files = ["typed.ts", "program.ts", "scenarios.ts"];
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }));
  const { code, out, err } = await end([...compiler, "-p", "tsconfig.json"], project);
  assert.equal(`${out}${err}`, "", `${compiler.join(" ")} in ${project}`);
  assert.equal(code, 0);
}

function end(
  [command = "", ...args]: Command,
  cwd: string,
  env: { readonly [name: string]: string } = {},
): Promise<Ended> {
  return runProgram(command, args, { cwd, env });
}

/** Runs a command that has to end with exit code 0. */
export async function succeed(command: Command, cwd: string): Promise<Ended> {
  const ended = await end(command, cwd);
  assert.equal(ended.code, 0, `${command.join(" ")}: ${ended.err}${ended.out}`);
  return ended;
}
