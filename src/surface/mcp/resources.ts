import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord, madeOnce, parsedJson } from "../../base/values/mod.ts";

/** A text that assistants can read: a page of the documentation, or a schema. */
export interface Resource {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly mimeType: "text/markdown" | "application/schema+json" | "text/plain";
  readonly read: () => Promise<string>;
}

/** The documentation and the schemas of the installed package. */
export const resources = madeOnce((): readonly Resource[] => {
  const root = packageFolder();
  if (root === undefined) return [];
  return [
    ...filesIn(join(root, "docs"), ".md").map((name) => pageOf(root, name)),
    ...filesIn(join(root, "schemas"), ".json").map((name) => schemaOf(root, name)),
    ...(existsSync(join(root, "llms.txt")) ? [indexOf(root)] : []),
  ];
});

function pageOf(root: string, name: string): Resource {
  const file = join(root, "docs", `${name}.md`);
  const [heading = name] = readFileSync(file, "utf8").match(/^# .+$/m) ?? [];
  return {
    name: `docs/${name}`,
    uri: `callweave://docs/${name}`,
    title: heading.replace(/^# /, ""),
    mimeType: "text/markdown",
    read: () => readFile(file, "utf8"),
  };
}

function schemaOf(root: string, name: string): Resource {
  return {
    name: `schemas/${name}`,
    uri: `callweave://schemas/${name}`,
    title: name === "graph" ? "JSON Schema of an AgentGraph" : `JSON Schema: ${name}`,
    mimeType: "application/schema+json",
    read: () => readFile(join(root, "schemas", `${name}.json`), "utf8"),
  };
}

function indexOf(root: string): Resource {
  const read = () => readFile(join(root, "llms.txt"), "utf8");
  return { name: "docs", uri: "callweave://docs", title: "Pages of the documentation", mimeType: "text/plain", read };
}

/** The files of a folder with an ending, without it. */
function filesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

/** The folder of the package: the first one above this file with its package.json. */
function packageFolder(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    const known = existsSync(manifest) ? parsedJson(readFileSync(manifest, "utf8")) : undefined;
    if (isRecord(known) && known.name === "callweave") return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
