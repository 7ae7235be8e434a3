import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { readArguments } from "../../src/surface/cli/arguments.ts";
import { COMMANDS } from "../../src/surface/cli/commands/mod.ts";
import { workflowFile } from "../../src/surface/cli/init/workflow.ts";
import { parseReporter } from "../../src/surface/cli/reports/choose_reports.ts";
import { ROOT } from "../surface/cli/_process.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

/** The steps of a workflow; throws for what is no YAML. */
function stepsOf(text: string): readonly Step[] {
  const { jobs } = parse(text);
  return Object.values<{ readonly steps: readonly Step[] }>(jobs).flatMap(({ steps }) => steps);
}

/** The arguments of the commands of a workflow, with a value in place of each expression. */
function callweaveCommands(steps: readonly Step[]): readonly (readonly string[])[] {
  return steps
    .flatMap(({ run = "" }) => run.replaceAll(/\$\{\{.*?\}\}/g, "1").split("\n"))
    .flatMap((line) => /(?:npx |bunx --bun |npm:)callweave (.+)$/.exec(line)?.[1] ?? [])
    .map((line) =>
      line
        .replace(/ > .*$/, "")
        .split(" ")
        .map((word) => word.replaceAll('"', "")),
    );
}

/** Parses a command line by the command's own flags, without running it. */
async function parseCommand(words: readonly string[]): Promise<string> {
  const name = [words.slice(0, 3), words.slice(0, 2), words.slice(0, 1)]
    .map((parts) => parts.join(" "))
    .find((each) => COMMANDS.some((command) => command.name === each));
  const listed = COMMANDS.find((command) => command.name === name);
  assert.ok(name && listed, words.join(" "));
  const { spec } = await listed.load();
  const args = await readArguments(words.slice(name.split(" ").length), spec, name, {
    positionals: new Map([["SOURCE", "flow.ts"]]),
    flags: () => new Map(),
  });
  for (const reporter of args.texts("reporter")) parseReporter(reporter);
  return name;
}

test("the workflows in docs/ are YAML, and their commands are ones that callweave accepts", async () => {
  const page = readFileSync(join(ROOT, "docs", "continuous-integration.md"), "utf8");
  const texts = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  const names = await Promise.all(texts.map((text) => Promise.all(callweaveCommands(stepsOf(text)).map(parseCommand))));
  assert.ok(names.every((each) => each.length > 0));
  assert.deepEqual(names.at(-1), ["run", "runs merge", "runs show", "runs compare", "runs baseline set"]);
  assert.ok("pull_request" in parse(texts.at(-1) ?? "").on);
});

test("the workflows that init writes are YAML, and their commands are ones that callweave accepts", async () => {
  for (const runtime of ["node", "bun", "deno"] as const) {
    const commands = callweaveCommands(stepsOf(workflowFile(runtime).text));
    assert.deepEqual(await Promise.all(commands.map(parseCommand)), ["check", "run"], runtime);
  }
});
