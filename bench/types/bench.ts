import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Figure, sized } from "../figure.ts";
import { type FlowShape, generateFlow } from "./generate.ts";
import { runCompiler } from "./run_compiler.ts";

const NODES = sized(500, 20);
const BOUNDS: { readonly [shape in FlowShape]: number } = { chain: 250_000, list: 120_000 };
const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Type-checks a flow of 500 nodes, as a chain and as a list, against the SDK's declarations, like a project with the
 * installed package. Instantiations are counted by the compiler, so they are the same on every machine.
 */
export async function* bench(): AsyncIterable<Figure> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-types-"));
  try {
    await writeDeclarations(folder);
    for (const shape of ["chain", "list"] as const) {
      const { code, transitions, equations } = generateFlow(shape, NODES, "../sdk/dsl/mod.js");
      const value = await countInstantiations(folder, shape, code);
      const against = `${NODES} nodes, ${transitions} transitions, ${equations} equations; TypeScript ${compilerVersion()}`;
      const name = `${shape}_${NODES}_instantiations`;
      yield { name, value, unit: "instantiations", against, bound: BOUNDS[shape], counted: true };
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the declarations of the SDK to `sdk/`, as in the package. */
async function writeDeclarations(folder: string): Promise<void> {
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: join(folder, "sdk"),
    rewriteRelativeImportExtensions: true,
  };
  await writeConfig(folder, "tsconfig.sdk.json", { compilerOptions, include: [], files: [join(root, "dsl/mod.ts")] });
  await runCompiler(join(folder, "tsconfig.sdk.json"));
}

async function countInstantiations(folder: string, shape: FlowShape, code: string): Promise<number> {
  await mkdir(join(folder, shape));
  await writeFile(join(folder, shape, "flow.ts"), code);
  await writeConfig(join(folder, shape), "tsconfig.json", { include: ["flow.ts"] });
  const output = await runCompiler(join(folder, shape, "tsconfig.json"), "--extendedDiagnostics");
  const count = /^Instantiations:\s+(\d+)/m.exec(output)?.[1];
  if (count === undefined) throw new Error(`The compiler counted no instantiations:\n${output}`);
  return Number(count);
}

async function writeConfig(folder: string, name: string, config: object): Promise<void> {
  await writeFile(join(folder, name), JSON.stringify({ extends: join(root, "tsconfig.json"), ...config }));
}

function compilerVersion(): string {
  const { version }: { readonly version: string } = createRequire(import.meta.url)("typescript/package.json");
  return version;
}
