import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { type AgentGraph, isRecord, parseGraph } from "../../../src/graph/mod.ts";
import { CLINIC } from "./documents.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The LLM that a graph becomes, as a literal that the SDK's types must take, unknown keys included. */
function literal(name: string, graph: AgentGraph): string {
  const { config } = emit(graph, "retell-llm");
  const body = isRecord(config) && isRecord(config.retellLlmData) ? config.retellLlmData : config;
  const { model: _, ...rest } = isRecord(body) ? body : {}; // models come and go faster than types
  return `export const ${name}: LlmCreateParams = ${JSON.stringify(rest, null, 2)};`;
}

async function exampleGraphs(): Promise<AgentGraph[]> {
  const folder = new URL("../../../examples/", import.meta.url);
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

/** Errors of a module that the SDK's types are imported into. */
async function compile(source: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-llm-"));
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

const IMPORT = 'import type { LlmCreateParams } from "retell-sdk/resources/llm";';

test("what the examples are emitted as is a literal of the SDK's create parameters", { timeout: 300_000 }, async () => {
  const examples = await exampleGraphs();
  assert.ok(examples.length > 0);
  const { graph: flow } = importAgent(emit(importAgent(CLINIC).graph, "retell").config);
  const graphs = [...examples, flow];
  assert.equal(await compile([IMPORT, ...graphs.map((graph, index) => literal(`llm${index}`, graph))].join("\n")), "");
});

test("a key that the SDK's types do not know is an error", { timeout: 300_000 }, async () => {
  const errors = await compile(`${IMPORT}\nexport const llm: LlmCreateParams = { generalPrompt: "" };`);
  assert.match(errors, /generalPrompt/);
});
