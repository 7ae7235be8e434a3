import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { writeDocExamples } from "../../scripts/test/doc_examples.ts";

test("every example of a docstring or a Markdown file becomes a test, with the exports of its file and with URLs for its relative imports", () => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-examples-"));
  try {
    const source = join(folder, "src");
    mkdirSync(source);
    writeFileSync(
      join(source, "double.ts"),
      `/**
 * Doubles.
 *
 * \`\`\`ts
 * if (double(2) !== 4) throw new Error("wrong");
 * \`\`\`
 *
 * \`\`\`ts ignore
 * double();
 * \`\`\`
 */
export function double(value: number): number {
  return 2 * value;
}
`,
    );
    writeFileSync(
      join(source, "README.md"),
      '```sh\nnpm test\n```\n\n```ts\nimport { double } from "./double.ts";\ndouble(1);\n```\n',
    );
    const written = readFileSync(writeDocExamples(join(folder, "out"), [source]), "utf8");
    assert.equal(written.match(/^test\(/gm)?.length, 2);
    const url = JSON.stringify(pathToFileURL(join(source, "double.ts")).href);
    const modules = readdirSync(join(folder, "out")).filter((name) => name.startsWith("example_"));
    assert.deepEqual(
      modules.sort().map((name) => readFileSync(join(folder, "out", name), "utf8")),
      [
        `import { double } from ${url};\ndouble(1);\nexport {};\n`,
        `import { double } from ${url};\nif (double(2) !== 4) throw new Error("wrong");\nexport {};\n`,
      ],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
