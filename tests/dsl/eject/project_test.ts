import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scenarioFromCall } from "../../../api/calls.ts";
import { eject } from "../../../dsl/mod.ts";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { scenarios } from "../../../examples/help-desk/scenarios.ts";
import { offline, run, type Scenario } from "../../../mod.ts";
import { fc } from "../../properties.ts";
import { PAGES, writeSnippets } from "../../readme/_run_page.ts";
import { ROOT, runProgram } from "../../surface/cli/_process.ts";
import { graphs } from "./_graphs.ts";
import { moduleFolder, writeFiles } from "./_load.ts";
import { sharedAgents } from "./_shared.ts";

/** Scenarios that are written from calls, both with lines and with a persona. */
async function scenariosFromCalls(): Promise<readonly Scenario[]> {
  const { results } = await run(helpDesk, scenarios, { models: { agent: offline() }, store: false });
  const written = results.flatMap((result) =>
    [true, false].map(async (script) => {
      const { scenario } = await scenarioFromCall(result, { graph: helpDesk, script });
      return { ...scenario, name: `${result.scenario} again${script ? ", to the letter" : ""}` };
    }),
  );
  return await Promise.all(written);
}

/** Whether an error of the compiler says that a page declares something which it does not use, as examples do. */
function isUnusedInPage(line: string): boolean {
  return / error TS(?:6133|6192|6196|6198): /.test(line) && !line.startsWith("checked/");
}

/** In one test: the compiler checks the sources once for both, which takes longer than the rest of it. */
test("what eject() writes type-checks and is formatted, of shared agents, random graphs and stored calls, and the code of all pages type-checks", async () => {
  const { path, remove } = moduleFolder();
  try {
    const random = fc.sample(graphs, { numRuns: 30, seed: 3 });
    const shared = sharedAgents().filter((_, index) => index % 3 === 0);
    const all = [...random, ...shared.map(({ graph }) => graph)];
    const formatted = join(path, "formatted");
    const checked = join(path, "checked");
    const calls = eject(helpDesk, { scenarios: [...scenarios, ...(await scenariosFromCalls())] });
    writeFiles(join(formatted, "help-desk"), calls, "callweave");
    writeFiles(join(checked, "help-desk"), calls, join(ROOT, "mod.ts"));
    for (const [index, graph] of all.entries()) {
      writeFiles(join(formatted, String(index)), eject(graph), "callweave");
      writeFiles(join(checked, String(index)), eject(graph), join(ROOT, "mod.ts"));
    }
    const written = PAGES.map((page) => writeSnippets(page, join(ROOT, "mod.ts")));
    const pages = written.flatMap(({ cwd, modules }) => modules.map((name) => join(cwd, name)));
    assert.ok(pages.length > PAGES.length, `${pages.length} modules`);
    const compilerOptions = { typeRoots: [join(ROOT, "node_modules", "@types")], noUnusedLocals: true };
    const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: ["checked"], files: pages };
    writeFileSync(join(path, "tsconfig.json"), JSON.stringify(config));
    const bin = (name: string) => join(ROOT, "node_modules", ".bin", name);
    const args = ["--checkers", "1", "--pretty", "false", "-p", path];
    const compiled = await runProgram(bin("tsc"), args, { cwd: path });
    const errors = compiled.out.split("\n").filter((line) => line !== "" && !isUnusedInPage(line));
    assert.equal(errors.join("\n").slice(0, 4_000), "");
    assert.ok(compiled.code === 0 || compiled.out !== "", `exit code ${compiled.code}`);

    const files = { includes: ["**/*.ts"] };
    const style = {
      files,
      formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 120 },
      linter: { enabled: false },
    };
    writeFileSync(join(path, "biome.json"), JSON.stringify(style));
    const options = ["ci", "--colors=off", `--config-path=${path}`, formatted];
    const biome = await runProgram(bin("biome"), options, { cwd: path });
    assert.equal(biome.code, 0, `${biome.out}${biome.err}`.slice(0, 4_000));
  } finally {
    remove();
  }
});
