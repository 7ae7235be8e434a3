import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CALLER_SETS, CALLERS, traitNames, traitsText, traitWords } from "../src/document/scenario/mod.ts";
import { voiceText } from "../src/surface/cli/callers.ts";

const PAGE = "docs/difficult-callers.md";

/** Writes the tables of traits and of sets of callers into the page about them. */
export function writeCallerTables(root: string): void {
  const path = join(root, PAGE);
  writeFileSync(path, withCallerTables(readFileSync(path, "utf8")));
}

/** The page with the current tables between `<!-- caller traits -->`, `<!-- caller sets -->` and `<!-- end -->`. */
export function withCallerTables(page: string): string {
  const tables = [
    ["caller traits", traitsTable()],
    ["caller sets", setsTable()],
  ] as const;
  return tables.reduce(
    (text, [name, table]) =>
      text.replace(new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`), `$1\n${table}\n\n$2`),
    page,
  );
}

function traitsTable(): string {
  const rows = traitNames().flatMap((trait) => {
    const words = traitWords(trait);
    const values = "values" in words ? Object.entries(words.values) : [["a BCP 47 tag", words.ofLanguage] as const];
    return values.map(([value, effect]) => {
      const audit = effect.audit.rule === "judge" ? "judge" : "rule";
      const name = "values" in words ? `\`${value}\`` : value;
      return [
        `\`${trait}\``,
        name,
        effect.examples[0] ?? "",
        voiceText(effect) ?? "",
        `${audit}: ${effect.audit.shows}`,
      ];
    });
  });
  return table(["trait", "value", "example", "by voice", "audit"], rows);
}

function setsTable(): string {
  const sets = Object.entries(CALLER_SETS).map(([set, { what, callers }]) => [
    `\`${set}\``,
    what,
    callers.map((name) => `\`${name}\``).join(", "),
  ]);
  const callers = Object.entries(CALLERS).map(([name, traits]) => [`\`${name}\``, traitsText(traits) || "none"]);
  return [table(["set", "who", "callers"], sets), table(["caller", "traits"], callers)].join("\n\n");
}

/** A table with aligned columns, as the formatter writes it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}
