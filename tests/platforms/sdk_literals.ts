import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isRecord } from "../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph } from "../../src/document/graph/mod.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the graphs that the examples export. */
export async function exampleGraphs(): Promise<AgentGraph[]> {
  const folder = new URL("../../examples/", import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith("flow.ts"));
  const modules = await Promise.all(
    files.map((name): Promise<object> => import(new URL(name.replaceAll("\\", "/"), folder).href)),
  );
  const values = modules.flatMap((module): unknown[] => Object.values(module));
  return values.flatMap((value) =>
    isRecord(value) && "nodes" in value && "entry_node_id" in value
      ? [parseGraph(JSON.parse(JSON.stringify(value)))]
      : [],
  );
}

/** Returns the compiler's errors for a module that uses the SDKs' types. */
export async function compileWithSdks(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-sdk-"));
  try {
    await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    await writeFile(join(folder, "literals.ts"), source);
    const config = { extends: join(root, "tsconfig.json"), include: ["literals.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    return await promisify(execFile)("node", [compiler, "--project", folder, "--pretty", "false"])
      .then(({ stdout }) => stdout)
      .catch((error: { readonly stdout?: string }) => error.stdout || String(error));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
