import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ownRuntime, ROOT, runFile } from "./_process.ts";
import { folder, GRAPH } from "./_terminal.ts";

const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");
const SLOW = { timeout: 120_000 };
const sdk = JSON.stringify(new URL("../../../mod.ts", import.meta.url).href);
const EXIT = "process.exit(0);";

/** A flow whose tool ends the process. */
const tool = (exit: string) => `import process from "node:process";
import { flow, scenario, tool } from ${sdk};
const find = tool({ name: "find", description: "Finds", execute: () => { ${exit} } });
export const graph = flow("tool", { tools: [find] })
  .function("look", { tool: "find", next: ({ to }) => [to("bye")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
export const scenarios = [scenario("looks", graph).says("Hi").ends("agent_ended")];
`;

const path = folder({
  "package.json": { type: "module" },
  "flow.ts": `import process from "node:process";\nprocess.exit(0);\nexport const graph = ${JSON.stringify(GRAPH)};\n`,
  "later.ts": `import process from "node:process";\nsetTimeout(() => process.exit(0), 1);\nawait new Promise(() => {});\n`,
  "rejects.ts": `String.prototype.replace = () => { throw new Error("nothing can be printed"); };
void Promise.reject(new Error("failed"));
await new Promise((resolve) => setTimeout(resolve, 60_000));
`,
  "tool.ts": tool(EXIT),
  "deno.ts": tool("globalThis.Deno?.exit(0);"),
  "caller.ts": `import process from "node:process";
import { flow, runAsProgram, scenario } from ${sdk};
const hello = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
await runAsProgram(import.meta, hello, [
  scenario("exits", hello).says("Hi").check("exits", () => { process.exit(0); }),
]);
`,
  "after.ts": `import process from "node:process";
import { flow, runAsProgram, scenario } from ${sdk};
const hello = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
await runAsProgram(import.meta, hello, [scenario("fails", hello).says("Hi").includes("never said")]);
await runAsProgram(import.meta, hello, [scenario("passes", hello).says("Hi").ends("agent_ended")]);
process.exit(0);
`,
});

for (const [what, file, args] of [
  ["a flow's module", MAIN, ["check", "flow.ts"]],
  ["a module that is being loaded", MAIN, ["check", "later.ts"]],
  ["a tool", MAIN, ["run", "tool.ts", "--db", ":memory:"]],
  ["code of a program of scenarios", join(path, "caller.ts"), ["--db", ":memory:"]],
] as const)
  test(`process.exit(0) in ${what} does not end the process with 0`, SLOW, async () => {
    const { code, err } = await runFile(file, args, { cwd: path });
    assert.equal(code, 3, err);
    assert.match(err, /error: the process exited before the (?:command|run) was done/);
  });

if (ownRuntime() === "deno")
  test("Deno.exit(0) in a tool does not end the process with 0", SLOW, async () => {
    const { code, err } = await runFile(MAIN, ["run", "deno.ts", "--db", ":memory:"], { cwd: path });
    assert.equal(code, 3, err);
  });

test("process.exit(0) after a run keeps its report and its exit code, the worst of several", SLOW, async () => {
  const { code, out } = await runFile(join(path, "after.ts"), ["--db", ":memory:"], { cwd: path });
  assert.equal(code, 1);
  assert.match(out, /1 failed/);
  assert.match(out, /1 passed/);
});

test("an unhandled rejection exits with 2, even if its error cannot be printed", SLOW, async () => {
  const { code, err } = await runFile(MAIN, ["check", "rejects.ts"], { cwd: path });
  assert.equal(code, 2, err);
  assert.match(err, /nothing can be printed/);
});
