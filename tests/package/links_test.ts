import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { ROOT, runProgram } from "../cli/_process.ts";

/** The paths of what npm would publish. */
async function packedPaths(): Promise<ReadonlySet<string>> {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { code, out, err } = await runProgram("npm", args, { cwd: ROOT });
  assert.equal(code, 0, `${err}${out}`);
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(out);
  return new Set(files.map(({ path }) => path));
}

test("every relative link in the package's pages leads to a file or folder in the package", async () => {
  const packed = await packedPaths();
  const pages = [...packed].filter((path) => path.endsWith(".md") && !path.startsWith("dist/"));
  assert.ok(pages.includes("README.md") && pages.includes("docs/running.md"));
  const broken = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/```[\s\S]*?```/g, "");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    return links
      .filter((link) => !/^(?:[a-z]+:|#)/.test(link))
      .map((link) => normalize(join(dirname(page), link.replace(/#.*$/, ""))).replaceAll("\\", "/"))
      .filter((target) => !packed.has(target) && ![...packed].some((path) => path.startsWith(`${target}/`)))
      .map((target) => `${page} -> ${target}`);
  });
  assert.deepEqual(broken, []);
});
