import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bench } from "../../bench/types/bench.ts";
import { generateFlow } from "../../bench/types/generate.ts";
import { runCompiler } from "../../bench/types/run_compiler.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("a flow of 500 nodes stays within its type-checking limits, as a chain and as a list", {
  timeout: 300_000,
}, async () => {
  const names: string[] = [];
  for await (const { name, value, bound = 0 } of bench()) {
    names.push(name);
    assert.ok(value > 0 && value <= bound, `${name}: ${value} of ${bound}`);
  }
  assert.deepEqual(names, ["chain_500_instantiations", "list_500_instantiations"]);
});

test("the generated flow has the size that the limits assume", () => {
  const { code, transitions, equations } = generateFlow("list", 500, "callweave");
  assert.ok(transitions >= 1050 && equations >= 550, `${transitions} transitions, ${equations} equations`);
  assert.ok((code.match(/\{\{/g) ?? []).length > 1000);
});

test("a compiled flow gives small declarations", { timeout: 300_000 }, async () => {
  await inFolder(async (folder) => {
    const { code } = generateFlow("list", 500, `${root}dsl/mod.ts`);
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    await writeFile(join(folder, "flow.ts"), code);
    const compilerOptions = { noEmit: false, emitDeclarationOnly: true, rootDir: "/", outDir: join(folder, "out") };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["flow.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await runCompiler(join(folder, "tsconfig.json"));
    const declarations = await readFile(join(folder, "out", folder, "flow.d.ts"), "utf8");
    assert.ok(declarations.length < 9_000, `${declarations.length} characters for 500 nodes`);
  });
});

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-large-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
