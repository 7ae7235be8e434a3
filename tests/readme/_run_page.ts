import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT, runFile, runProgram } from "../surface/cli/_process.ts";
import { callweave, folder } from "../surface/cli/_terminal.ts";
import { commandsOf, holds, type Snippet, snippetsOf } from "./_snippets.ts";

/** Pages with runnable code. */
export const PAGES: readonly string[] = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "migrating-from-vapi-workflows.md")
    .map((name) => `docs/${name}`),
];

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts;

/** How the modules and commands of a page are run, in the page's folder. */
export interface PageRunner {
  /** Runs modules in order; they do not access the process. */
  modules(names: readonly string[], cwd: string): Promise<void>;
  /** Runs a module that accesses its process. */
  program(path: string, args: readonly string[], cwd: string): Promise<void>;
  callweave(args: readonly string[], cwd: string): Promise<void>;
}

/** Runs each program and command in a process, like a user who types them. */
export const inProcesses: PageRunner = {
  async modules(names, cwd) {
    const imports = names.map((name) => `await import("./${name}");\n`).join("");
    const end = "all modules have run";
    writeFileSync(join(cwd, "all_modules.ts"), `${imports}console.log(${JSON.stringify(end)});\nexport {};\n`);
    const { code, out, err } = await runFile(join(cwd, "all_modules.ts"), [], { cwd });
    assert.equal(code, 0, `${names}: ${err}${out}`);
    assert.ok(out.trimEnd().endsWith(end), `all modules run to their ends: ${err}${out}`);
  },
  async program(path, args, cwd) {
    const { code, out, err } = await runFile(path, args, { cwd });
    assert.equal(code, 0, `${path}: ${err}${out}`);
  },
  async callweave(args, cwd) {
    await inProcesses.program(join(ROOT, "src", "surface", "cli", "main.ts"), args, cwd);
  },
};

/** Runs modules and commands in this process, which is faster than a process for each. */
export const inThisProcess: PageRunner = {
  async modules(names, cwd) {
    process.chdir(cwd);
    for (const name of names) await import(pathToFileURL(join(cwd, name)).href);
  },
  program: inProcesses.program,
  async callweave(args, cwd) {
    const { code, out, err } = await callweave(args, { cwd, env: environment() });
    assert.equal(code, 0, `callweave ${args.join(" ")}: ${err}${out}`);
  },
};

function environment(): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Runs the code and the commands of a page in order, and compares their output with the page. */
export async function runPage(page: string, runner: PageRunner): Promise<void> {
  const snippets = snippetsOf(page);
  for (const { language, text, partOf } of snippets) {
    assert.doesNotMatch(text, /\busing \w+ =/, "Node 20 and 22 do not know `using`, and only take the types out");
    if (language === "json" && !partOf) assert.doesNotThrow(() => JSON.parse(text), text);
  }
  const { cwd, modules } = writeSnippets(page, new URL("../../mod.ts", import.meta.url).href);
  const isAlone = (name: string) =>
    name.endsWith(".test.ts") || /\bprocess\b|import\.meta|runAsProgram/.test(readFileSync(join(cwd, name), "utf8"));
  const together = modules.filter((name) => !isAlone(name));
  if (together.length > 0) await runner.modules(together, cwd);
  for (const name of modules.filter(isAlone)) {
    if (name.endsWith(".test.ts")) await runBunTest(name, cwd);
    else await runner.program(join(cwd, name), [], cwd);
  }
  for (const line of commandsOf(snippets)) await runLine(line, cwd, runner);
  for (const { text, partOf } of snippets.filter((snippet) => snippet.partOf))
    assert.ok(
      holds(JSON.parse(readFileSync(join(cwd, partOf ?? ""), "utf8")), JSON.parse(text)),
      `${text} in ${partOf}`,
    );
}

/**
 * Writes the code of a page to a temporary folder.
 *
 * @param api The module that replaces "callweave" in imports; its other entry points are beside it.
 */
export function writeSnippets(
  page: string,
  api: string,
): { readonly cwd: string; readonly modules: readonly string[] } {
  const cwd = folder({ "package.json": { type: "module", private: true } });
  symlinkSync(join(ROOT, "node_modules"), join(cwd, "node_modules"), "junction"); // other libraries of examples
  const modules: string[] = [];
  for (const [index, snippet] of snippetsOf(page).entries()) {
    const { language, text, file, partOf } = snippet;
    if (language === "ts") {
      const name = file ?? `snippet_${index}.ts`;
      modules.push(name);
      writeFileSync(join(cwd, name), fromCheckout(snippet, api));
    }
    if (language === "json" && !partOf && file) writeFileSync(join(cwd, file), text);
  }
  return { cwd, modules };
}

function fromCheckout({ text }: Snippet, api: string): string {
  const entries = text.replace(/"callweave\/(\w+)"/g, (_, entry: string) =>
    JSON.stringify(api.replace(/mod\.ts$/, `api/${entry}.ts`)),
  );
  return entries.replaceAll('"callweave"', JSON.stringify(api));
}

async function runBunTest(name: string, cwd: string): Promise<void> {
  const { code, out, err } = await runProgram(join(ROOT, "node_modules", ".bin", "bun"), ["test", name], { cwd });
  assert.equal(code, 0, `${name}: ${err}${out}`);
}

/** Runs a line of a shell block as it stands there, but from this checkout. */
async function runLine(line: string, cwd: string, runner: PageRunner): Promise<void> {
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
    if (program === "callweave") {
      await runner.callweave(words, cwd);
      continue;
    }
    const [file = "", ...args] = words;
    const path = [file, join(cwd, file), join(ROOT, file)].find((each) => isAbsolute(each) && existsSync(each)) ?? file;
    await runner.program(path, args, cwd);
  }
}
