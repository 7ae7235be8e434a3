import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { test } from "node:test";
import { helpDesk } from "../../examples/help-desk/flow.ts";
import { emit } from "../../mod.ts";
import { ERROR_CODES } from "../../src/errors.ts";
import { isInstalled, ROOT, runFile, runProgram } from "../cli/_process.ts";
import { folder } from "../cli/_terminal.ts";
import { commandsOf, holds, snippetsOf } from "./_snippets.ts";

const PAGES = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "migrating-from-vapi-workflows.md")
    .map((name) => `docs/${name}`),
];
const MOD = new URL("../../mod.ts", import.meta.url).href;
const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts;

/** README.md runs on the runtime of the test; the other pages run on Bun, which starts a program five times as fast. */
function runtimeOf(page: string): "bun" | undefined {
  return page !== "README.md" && isInstalled("bun") ? "bun" : undefined;
}

/** Runs a line of a shell block as it stands there, but from this checkout. */
async function runLine(line: string, cwd: string, runtime: "bun" | undefined): Promise<void> {
  for (const part of line.split(" && ")) {
    const [, name] = /^npm (?:run )?(\w+)/.exec(part) ?? [];
    if (name) {
      assert.ok(/^npm (?:install|init|pkg)\b/.test(part) || scripts[name], `${part}: there is no script "${name}"`);
      continue;
    }
    const [, program = "", rest = ""] = /^(?:npx (callweave|tsx)|node|bun run|deno run -A)(?: (.*))?$/.exec(part) ?? [];
    assert.ok(
      /^(?:npx (?:callweave|tsx) |node |bun run |deno run -A )/.test(part),
      `the test does not know how to run: ${part}`,
    );
    const words = rest.split(" ").filter(Boolean);
    const callweave = program === "callweave";
    const [file = "", ...args] = callweave ? [join(ROOT, "src", "cli", "main.ts"), ...words] : words;
    const path = [file, join(cwd, file), join(ROOT, file)].find((each) => isAbsolute(each) && existsSync(each)) ?? file;
    const { code, out, err } = await runFile(path, args, { cwd, runtime });
    assert.equal(code, 0, `${line}: ${err}${out}`);
  }
}

/**
 * Writes the code of a page into a folder of its own.
 *
 * @param api What the modules import in the place of "callweave"; its other entry points are beside it.
 */
function writeSnippets(page: string, api: string): { readonly cwd: string; readonly modules: readonly string[] } {
  const cwd = folder({ "package.json": { type: "module", private: true } });
  symlinkSync(join(ROOT, "node_modules"), join(cwd, "node_modules"), "junction"); // other libraries of examples
  const modules: string[] = [];
  for (const [index, { language, text, file, partOf }] of snippetsOf(page).entries()) {
    if (language === "ts") {
      const name = file ?? `snippet_${index}.ts`;
      modules.push(name);
      const entries = text.replace(/"callweave\/(platforms|reporters|testing|types)"/g, (_, entry: string) =>
        JSON.stringify(api.replace(/mod\.ts$/, `api/${entry}.ts`)),
      );
      writeFileSync(join(cwd, name), entries.replaceAll('"callweave"', JSON.stringify(api)));
    }
    if (language === "json" && !partOf && file) writeFileSync(join(cwd, file), text);
  }
  return { cwd, modules };
}

/** Imports the modules of a page in their order, so that one process runs them; programs are run by themselves. */
const ALL = "all_modules.ts";
/** What that process prints last. */
const END = "all modules have run";

for (const page of PAGES) {
  test(`the code of ${page} runs with the shown results`, async () => {
    const snippets = snippetsOf(page);
    for (const { language, text, partOf } of snippets) {
      assert.doesNotMatch(text, /\busing \w+ =/, "Node 20 and 22 do not know `using`, and only take the types out");
      if (language === "json" && !partOf) assert.doesNotThrow(() => JSON.parse(text), text);
    }
    const { cwd, modules } = writeSnippets(page, MOD);
    const runtime = runtimeOf(page);
    const isAlone = (name: string) =>
      name.endsWith(".test.ts") || /\bprocess\b|import\.meta|runAsProgram/.test(readFileSync(join(cwd, name), "utf8"));
    const together = modules.filter((name) => !isAlone(name));
    const imports = together.map((name) => `await import("./${name}");\n`).join("");
    writeFileSync(join(cwd, ALL), `${imports}console.log(${JSON.stringify(END)});\nexport {};\n`);
    for (const module of [...(together.length > 0 ? [ALL] : []), ...modules.filter(isAlone)]) {
      const { code, out, err } = module.endsWith(".test.ts")
        ? await runProgram(join(ROOT, "node_modules", ".bin", "bun"), ["test", module], { cwd })
        : await runFile(join(cwd, module), [], { cwd, runtime });
      assert.equal(code, 0, `${module}: ${err}${out}`);
      if (module === ALL) assert.ok(out.trimEnd().endsWith(END), `all modules run to their ends: ${err}${out}`);
    }
    for (const line of commandsOf(snippets)) await runLine(line, cwd, runtime);
    for (const { text, partOf } of snippets.filter((snippet) => snippet.partOf))
      assert.ok(
        holds(JSON.parse(readFileSync(join(cwd, partOf ?? ""), "utf8")), JSON.parse(text)),
        `${text} in ${partOf}`,
      );
  });
}

test("the code of all pages compiles", async () => {
  const written = PAGES.map((page) => writeSnippets(page, join(ROOT, "mod.ts")));
  const files = written.flatMap(({ cwd, modules }) => modules.map((name) => join(cwd, name)));
  assert.ok(files.length > PAGES.length, `${files.length} modules`);
  const options = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: { typeRoots: [join(ROOT, "node_modules", "@types")], noUnusedLocals: false },
    files,
    include: [],
  };
  const cwd = folder({ "tsconfig.json": options });
  const compiler = join(ROOT, "node_modules", ".bin", "tsc");
  const { code, out } = await runProgram(compiler, ["--checkers", "1", "-p", "tsconfig.json"], { cwd });
  assert.equal(code, 0, out);
});

test("docs/errors.md explains every error code and no others", () => {
  const text = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");
  const explained = [...text.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, code]) => code);
  assert.deepEqual(explained.toSorted(), [...ERROR_CODES].toSorted());
});

test("the picture of the help desk is up to date", () => {
  const drawn = readFileSync(join(ROOT, "docs", "help-desk.svg"), "utf8");
  assert.equal(drawn, emit(helpDesk, "svg").config, "it is old: npm run docs");
});

test("links between the pages are valid", () => {
  for (const page of [...PAGES, "CONTRIBUTING.md"]) {
    const text = readFileSync(join(ROOT, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g))
      assert.ok(existsSync(join(ROOT, page, "..", target)), `${page}: ${target}`);
  }
});
