import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** An example in a docstring or a Markdown file. */
interface Example {
  readonly file: string;
  readonly line: number;
  readonly code: string;
}

/**
 * Writes the examples of docstrings and of Markdown files as modules, and a file with a test for each of them.
 * As with `deno test --doc`, an example may use exports of its file without importing them, and examples marked
 * `ignore` are skipped. Deno's own implementation reloads all of the library for every example.
 *
 * @returns The path of the test file.
 */
export function writeDocExamples(folder: string, sources: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction"); // libraries that examples import
  const tests = sources.flatMap(examplesOf).map(({ file, line, code }, index) => {
    const name = `example_${index}.ts`;
    writeFileSync(join(folder, name), `${importsFor(file, code)}${withUrls(file, code)}export {};\n`);
    return `test(${JSON.stringify(`${file}:${line}`)}, () => import("./${name}"));\n`;
  });
  const path = join(folder, "examples_test.ts");
  writeFileSync(path, `import { test } from "node:test";\n\n${tests.join("")}`);
  return path;
}

function examplesOf(source: string): readonly Example[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).map((name) => join(source, name));
  return files
    .filter((file) => /\.(?:ts|md)$/.test(file))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const fence = file.endsWith(".md") ? /^```(.*)\n([\s\S]*?)^```$/gm : /^ *\* ```(.*)\n([\s\S]*?)^ *\* ```$/gm;
      return [...text.matchAll(fence)].flatMap(([, label = "", block = ""], index, all) =>
        /^(?:ts|typescript)$/.test(label)
          ? [
              {
                file,
                line: text.slice(0, all[index]?.index).split("\n").length,
                code: file.endsWith(".md") ? block : block.replaceAll(/^ *\* ?/gm, ""),
              },
            ]
          : [],
      );
    });
}

/** The code with relative imports as URLs, because the module is in another folder. */
function withUrls(file: string, code: string): string {
  return code.replaceAll(
    / from "(\.[^"]+)"/g,
    (_, path: string) => ` from "${pathToFileURL(resolve(file, "..", path)).href}"`,
  );
}

/** Imports of the names that an example uses from its own file, unless it imports or declares them itself. */
function importsFor(file: string, code: string): string {
  if (file.endsWith(".md")) return "";
  const exported = readFileSync(file, "utf8").matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm);
  const imported = [...code.matchAll(/^import [\s\S]*? from /gm)].join("\n");
  const names = [...exported]
    .map(([, name = ""]) => name)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`\\b${name}\\b`).test(imported));
  if (names.length === 0) return "";
  return `import { ${names.join(", ")} } from ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`;
}
