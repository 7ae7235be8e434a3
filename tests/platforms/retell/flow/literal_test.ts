import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { emitFlow } from "../../../../platforms/retell/flow/emit.ts";
import { importRetell } from "../../../../platforms/retell/flow/import.ts";
import { type AgentGraph, parseGraph } from "../../../../src/graph/mod.ts";
import { isRecord } from "../../../../src/values/mod.ts";
import { hotelFlow } from "./every_node.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The example flows, by folder. */
async function examples(): Promise<[string, AgentGraph][]> {
  const found: [string, AgentGraph][] = [];
  for (const folder of readdirSync(join(ROOT, "examples"), { withFileTypes: true })) {
    const path = join(ROOT, "examples", folder.name, "flow.ts");
    if (!existsSync(path)) continue;
    const exports: unknown = await import(pathToFileURL(path).href);
    for (const value of Object.values(isRecord(exports) ? exports : {}))
      if (isRecord(value) && isRecord(value.nodes))
        found.push([folder.name, parseGraph(JSON.parse(JSON.stringify(value)))]);
  }
  return found;
}

test("what is emitted compiles as a literal of the SDK's create parameters", async () => {
  const graphs: [string, AgentGraph][] = [["hotel", importRetell(hotelFlow)], ...(await examples())];
  assert.ok(graphs.length > 1);
  const folder = mkdtempSync(join(tmpdir(), "callweave-retell-"));
  try {
    const sdk = JSON.stringify(join(ROOT, "node_modules/retell-sdk/resources/conversation-flow.js"));
    const literals = graphs.map(([name, graph], index) => {
      const json = JSON.stringify(emitFlow(graph).config, null, 1);
      return `// ${name}\nexport const flow${index}: ConversationFlowCreateParams = ${json};\n`;
    });
    const file = join(folder, "literals.ts");
    writeFileSync(file, `import type { ConversationFlowCreateParams } from ${sdk};\n${literals.join("")}`);
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--types",
      "node",
    ];
    const roots = ["--typeRoots", join(ROOT, "node_modules/@types")];
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const path = `${join(ROOT, "node_modules/.bin")}:${process.env.PATH ?? ""}`;
    const { status, stdout } = spawnSync(tsc, [...options, ...roots, file], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PATH: path },
    });
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
