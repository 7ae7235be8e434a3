import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { graphJsonSchema } from "../../src/document/graph/mod.ts";
import { configJsonSchema } from "./config.ts";
import { scenariosJsonSchema } from "./scenarios.ts";
import { watchJsonSchema } from "./watch.ts";

/** The JSON Schemas of the package, by the names of their files in `schemas/`. */
export async function jsonSchemas() {
  return {
    graph: graphJsonSchema(),
    scenarios: scenariosJsonSchema(),
    config: await configJsonSchema(),
    watch: watchJsonSchema(),
  };
}

/** Writes `schemas/*.json`, formatted like the rest of the repository. */
export async function writeSchemas(root: string): Promise<void> {
  mkdirSync(join(root, "schemas"), { recursive: true });
  for (const [name, schema] of Object.entries(await jsonSchemas())) {
    const file = join(root, "schemas", `${name}.json`);
    const text = formatted(JSON.stringify(schema, null, 2), file);
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
}

function formatted(text: string, file: string): string {
  const formatter = join("node_modules", "@biomejs", "biome", "bin", "biome");
  const { status, stdout, stderr } = spawnSync(process.execPath, [formatter, "format", `--stdin-file-path=${file}`], {
    input: text,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Cannot format ${file}: ${stderr}`);
  return stdout;
}
