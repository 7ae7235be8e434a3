import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname ?? ".", "..", "..");
/** Lines of code that an editor shows at once. */
const SCREEN = 60;

test("CONTRIBUTING.md answers ten questions with functions on the first screens of their files", () => {
  const [, section = ""] = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8").split("\n## Where is …?\n");
  const answers = [...(section.split("\n## ")[0] ?? "").matchAll(/^- .+?\? (.+)$/gm)].map(([, answer = ""]) => answer);
  assert.equal(answers.length, 10);
  for (const answer of answers) {
    const [before = "", ...places] = answer.split(/(?=`[\w./]+\/[\w/]+\.ts`)/).filter((part) => part !== "");
    const files = before.startsWith("`") ? [before, ...places] : places;
    assert.ok(files.length > 0, `no path: ${answer}`);
    for (const place of files) {
      const path = place.slice(1, place.indexOf("`", 1));
      const names = [...place.matchAll(/`(\w+)\(\)`/g)].map(([, name = ""]) => name);
      assert.ok(names.length > 0, `no function of ${path}: ${answer}`);
      const shown = firstScreen(readFileSync(join(ROOT, path), "utf8"));
      for (const name of names) assert.ok(declares(shown, name), `${name}() is not on the first screen of ${path}`);
    }
  }
});

/** The first lines of a file after its imports. */
function firstScreen(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.slice(lines.findLastIndex((line) => /^(?:import\b.*|\}) from ".*";$/.test(line)) + 1).slice(0, SCREEN);
}

function declares(lines: readonly string[], name: string): boolean {
  return lines.some((line) => new RegExp(`^(?:export )?(?:async )?function ${name}\\b`).test(line));
}
