import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FormatInfo, PlatformFacts } from "../platforms/mod.ts";

/** Files of the documentation with tables of platforms, between `<!-- table: NAME -->` and `<!-- end -->`. */
const FILES = ["docs/formats.md", "docs/importing-calls.md"];

/** The pages of a repository with current tables, by file. */
export async function pagesWithTables(root: string): Promise<{ readonly [file: string]: string }> {
  const tables = await tablesOf(root);
  const pages = FILES.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const written = Object.entries(tables).reduce(
      (page, [name, table]) =>
        page.replace(
          new RegExp(`(<!-- table: ${name} -->\\n\\n)[\\s\\S]*?(\\n\\n<!-- end -->)`),
          (_, before: string, after: string) => `${before}${table}${after}`,
        ),
      text,
    );
    return [file, written] as const;
  });
  return Object.fromEntries(pages);
}

/** Writes the tables of platforms into the documentation. */
export async function writeTables(root: string): Promise<void> {
  for (const [file, text] of Object.entries(await pagesWithTables(root))) writeFileSync(join(root, file), text);
}

async function tablesOf(root: string): Promise<{ readonly [table: string]: string }> {
  const platforms = await import(pathToFileURL(join(root, "platforms", "mod.ts")).href);
  const formats: readonly FormatInfo[] = platforms.formats();
  const records: readonly PlatformFacts[] = Object.values(platforms.PLATFORMS);
  const { constructRows } = await import(pathToFileURL(join(root, "scripts", "construct_table.ts")).href);
  const [head, ...constructs]: readonly (readonly string[])[] = constructRows();
  const can = (able: boolean) => (able ? "yes" : "no");
  return {
    constructs: table(head ?? [], constructs),
    formats: table(
      ["format", "import", "emit", "what it is"],
      formats.map(({ name, title, imports, emits }) => [`\`${name}\``, can(imports), can(emits), title]),
    ),
    calls: table(
      ["format", "is read from"],
      [
        ...records.flatMap(({ name, calls }) => (calls ? [[`\`${name}\``, calls.words]] : [])),
        ["`openai`", 'chat messages: `{ "messages": […] }`, a list of messages, or a list of calls'],
        ["`text`", "lines with speakers such as `Agent:` and `User:`"],
      ],
    ),
  };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
