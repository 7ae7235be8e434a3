import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { changedFiles, codeVersion, readFiles } from "../../../../src/surface/project/follow/mod.ts";
import { folder } from "../../cli/_terminal.ts";

/** A project that imports a helper in every way, and a file that it does not import. */
function project(): string {
  const path = folder({
    "package.json": { name: "desk", type: "module", imports: { "#rules/*": "./rules/*.ts" } },
    "deno.json": { imports: { "@text/": "./text/", dated: "npm:dated@1" } },
  });
  const files = {
    "tsconfig.json": `{
      // comments are allowed
      "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } },
    }`,
    "flow.ts": `
      import { a } from "./relative.ts";
      import { b } from "@lib/aliased.ts";
      import { c } from "#rules/own";
      import { d } from "@text/words.ts";
      import { e } from "@desk/shared";
      import { f } from "dated";
      import { readFileSync } from "node:fs";
      import nothing from "not-installed";
      export const prompt = 'A letter from "Berlin"';
    `,
    "relative.ts": "export const a = 1;",
    "lib/aliased.ts": 'export { g as b } from "@lib/deep.ts";',
    "lib/deep.ts": "export const g = 1;",
    "rules/own.ts": "export const c = 1;",
    "text/words.ts": "export const d = 1;",
    "shared/package.json": '{ "name": "@desk/shared", "type": "module", "exports": { "import": "./src/shared.ts" } }',
    "shared/src/shared.ts": "export const e = 1;",
    "node_modules/dated/package.json": '{ "name": "dated", "version": "1.0.0", "main": "lib/main.js" }',
    "node_modules/dated/lib/main.js": "exports.f = 1;",
    "unused.ts": "export const u = 1;",
  };
  for (const [name, text] of Object.entries(files)) write(join(path, name), text);
  mkdirSync(join(path, "node_modules/@desk"));
  symlinkSync("../../shared", join(path, "node_modules/@desk/shared"));
  return path;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const CODE = [
  ["flow.ts", "the module itself"],
  ["relative.ts", "a relative import"],
  ["lib/aliased.ts", "paths of tsconfig.json"],
  ["lib/deep.ts", "an import of an import"],
  ["rules/own.ts", "imports of package.json"],
  ["text/words.ts", "imports of deno.json"],
  ["shared/src/shared.ts", "a package of the workspace"],
] as const;

for (const [file, what] of CODE)
  test(`codeVersion() changes with ${what}`, async () => {
    const path = project();
    const before = await codeVersion([join(path, "flow.ts")]);
    assert.equal(await codeVersion([join(path, "flow.ts")]), before);
    write(join(path, file), "export const changed = 1;");
    assert.notEqual(await codeVersion([join(path, "flow.ts")]), before);
  });

test("codeVersion() changes with the version of an imported package, and not with other files", async () => {
  const path = project();
  const flow = join(path, "flow.ts");
  const before = await codeVersion([flow]);
  write(join(path, "unused.ts"), "export const u = 2;");
  write(join(path, "node_modules/other/package.json"), '{ "name": "other", "version": "2.0.0" }');
  assert.equal(await codeVersion([flow]), before);
  write(
    join(path, "node_modules/dated/package.json"),
    '{ "name": "dated", "version": "1.0.1", "main": "lib/main.js" }',
  );
  assert.notEqual(await codeVersion([flow]), before);
});

test("codeVersion() finds what a name is in the folder of each module that imports it", async () => {
  const path = project();
  const inner = (version: string) => `{ "name": "dated", "version": "${version}", "main": "main.js" }`;
  write(join(path, "flow.ts"), 'import "dated"; import "./inner/deep/part.ts";');
  write(join(path, "inner/deep/part.ts"), 'import "dated"; import "@lib/aliased.ts";');
  write(join(path, "inner/tsconfig.json"), '{ "compilerOptions": { "paths": { "@lib/*": ["./own/*"] } } }');
  write(join(path, "inner/own/aliased.ts"), "export const b = 1;");
  write(join(path, "inner/node_modules/dated/package.json"), inner("2.0.0"));
  write(join(path, "inner/node_modules/dated/main.js"), "");
  const versions = [await codeVersion([join(path, "flow.ts")])];
  write(join(path, "inner/node_modules/dated/package.json"), inner("2.0.1"));
  versions.push(await codeVersion([join(path, "flow.ts")]));
  write(join(path, "inner/own/aliased.ts"), "export const b = 2;");
  versions.push(await codeVersion([join(path, "flow.ts")]));
  write(join(path, "node_modules/dated/package.json"), inner("3.0.0"));
  versions.push(await codeVersion([join(path, "flow.ts")]));
  assert.equal(new Set(versions).size, 4, versions.join());
});

test("codeVersion() is the same for a copy of the project in another folder", async () => {
  const [one, other] = [project(), project()].map((path) => codeVersion([join(path, "flow.ts")]));
  assert.equal(await one, await other);
});

test("readFiles() follows relative imports only", async () => {
  const path = project();
  assert.deepEqual(
    [...(await readFiles(join(path, "flow.ts"))).keys()],
    [join(path, "flow.ts"), join(path, "relative.ts")],
  );
});

test("changedFiles() notices a change of an aliased module", async () => {
  const path = project();
  const changes = changedFiles([join(path, "flow.ts")], new AbortController().signal);
  await changes.next();
  const next = changes.next();
  write(join(path, "lib/deep.ts"), "export const g = 2;");
  assert.equal((await next).done, false);
  await changes.return(undefined);
});
