/**
 * Shows each step without a key and without a network: the help desk takes simulated calls, they are judged and stored,
 * one of them is shown, and the agent is written as Retell and Vapi JSON and deployed to platforms on this machine.
 * `npm run demo` starts it.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { apply, plan, startLocalPlatforms } from "../api/deploy.ts";
import { emit, offline, run } from "../mod.ts";
import { helpDesk } from "./help-desk/flow.ts";
import { scenarios } from "./help-desk/scenarios.ts";

const FOLDER = join(".callweave", "demo");
const PATH_WIDTH = join(FOLDER, "vapi-squad.json").length;

console.log("Callweave demo: a help desk in TypeScript (examples/help-desk/flow.ts) takes simulated calls.");
console.log("Everything below is played by the offline model: fixed rules, no key, no network.\n");

const report = await run(helpDesk, scenarios, { models: { agent: offline() } });

const [first] = report.results;
if (first) {
  console.log(`The call "${first.scenario}":\n`);
  for (const { role, content } of first.transcript) {
    if (role === "assistant") console.log(`  agent   ${content}`);
    if (role === "user") console.log(`  caller  ${content}`);
    if (role === "tool") console.log(`            · ${content}`);
  }
}

const width = Math.max(...report.results.map(({ scenario }) => scenario.length));
console.log("\nAll calls:\n");
for (const { scenario, status, turnCount, endReason, verdicts, checks } of report.results) {
  const held = [...verdicts, ...checks].filter(({ passed }) => passed).length;
  const sign = status === "pass" ? "✓" : "✗";
  const expectations = `${held} of ${verdicts.length + checks.length} expectations hold`;
  console.log(`  ${sign} ${scenario.padEnd(width)}  ${turnCount} turns, ${endReason}; ${expectations}`);
}
const { pass, fail, error } = report.counts;
console.log(
  `\n  ${pass} passed, ${fail} failed, ${error} with errors; stored as run ${report.id} in ${report.store}\n`,
);

await mkdir(FOLDER, { recursive: true });
console.log("The same agent for the platforms:\n");
for (const [format, file] of [
  ["retell", "retell.json"],
  ["vapi-squad", "vapi-squad.json"],
] as const) {
  const { config, losses } = emit(helpDesk, format);
  const path = join(FOLDER, file);
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`);
  const dropped = losses.filter(({ kind }) => kind === "dropped").length;
  const counts = `${losses.length - dropped} emulated, ${dropped} dropped`;
  console.log(`  ${path.padEnd(PATH_WIDTH)}  ${losses.length === 0 ? "exact" : counts}`);
}

const platforms = await startLocalPlatforms();
const folder = join(FOLDER, "deploy");
await rm(folder, { recursive: true, force: true }); // the local platforms of an earlier demo are gone
console.log("\nDeployed to local platforms that behave like those of the vendors:\n");
for (const [to, baseUrl] of [
  ["retell", platforms.retell],
  ["vapi-squad", platforms.vapi],
] as const) {
  const target = { to, baseUrl, key: platforms.key, folder };
  const { written } = await apply(await plan(helpDesk, target));
  const again = await plan(helpDesk, target);
  const next = again.isEmpty ? "a second plan is empty" : "a second plan has changes";
  console.log(`  ${to.padEnd(PATH_WIDTH)}  ${written.length} resources created; ${next}`);
}
await platforms[Symbol.asyncDispose]();

const command = "npx tsx src/surface/cli/main.ts";
console.log(`
Next:

  ${command} runs show ${report.id}
      every call with its transcript, scores and reasons
  ${command} emit examples/help-desk/flow.ts --to vapi-squad
      the JSON, and what is emulated for Vapi
  npx tsx examples/help-desk/scenarios.ts --model openai/gpt-5-mini
      the same calls on a real model (OPENAI_API_KEY)
  ${command} deploy plan examples/help-desk/flow.ts --to retell
      what a deployment would change (RETELL_API_KEY; docs/deploying.md)

README.md shows how to write your own.`);
process.exitCode = report.passed ? 0 : 1;
