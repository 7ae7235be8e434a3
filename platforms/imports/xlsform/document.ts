import type { Path } from "../../../src/base/errors.ts";
import { isRecord } from "../../../src/base/values/mod.ts";

/** A row of a sheet: its cells as texts by the heading of their column, without empty ones. */
export interface Row {
  readonly path: Path;
  readonly cells: { readonly [heading: string]: string };
}

/** The sheets of a form. */
export interface Form {
  readonly survey: readonly Row[];
  readonly choices: readonly Row[];
  readonly settings: Row;
}

/** Reads the sheets of a workbook; `undefined` for one that is no form. */
export function readForm(document: unknown): Form | undefined {
  const sheets = isRecord(document) && isRecord(document.sheets) ? document.sheets : {};
  const named = (wanted: string) => Object.keys(sheets).find((name) => name.trim().toLowerCase() === wanted);
  const rowsOf = (wanted: string) => {
    const name = named(wanted);
    return name === undefined ? [] : readRows(sheets[name], ["sheets", name]);
  };
  const survey = rowsOf("survey");
  const isForm = survey.some(({ cells }) => cells.type !== undefined) && headings(sheets[named("survey") ?? ""]);
  if (!isForm) return undefined;
  const [settings = { path: ["sheets", "settings"], cells: {} }] = rowsOf("settings");
  return { survey, choices: rowsOf("choices"), settings };
}

const headings = (sheet: unknown): boolean => {
  const [first] = Array.isArray(sheet) ? sheet : [];
  const names = Array.isArray(first) ? first.map(heading) : [];
  return names.includes("type") && names.includes("name");
};

/** Headings are written in several ways: `List Name`, `list_name`, `label::English (en)`. */
function heading(cell: unknown): string {
  const [name = "", ...language] = textIn(cell).trim().split("::");
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return [plain, ...language.map((part) => part.trim())].join("::");
}

function readRows(sheet: unknown, path: Path): readonly Row[] {
  const rows: readonly unknown[] = Array.isArray(sheet) ? sheet : [];
  const names = cellsOf(rows[0]).map(heading);
  return rows.flatMap((row, index) => {
    if (index === 0) return [];
    const cells = cellsOf(row).map((cell, column): [string, string] => [names[column] ?? "", textIn(cell).trim()]);
    const given = cells.filter(([name, text]) => name !== "" && text !== "");
    // the first of two columns with one heading counts
    return given.length === 0 ? [] : [{ path: [...path, index], cells: Object.fromEntries(given.reverse()) }];
  });
}

const cellsOf = (row: unknown): readonly unknown[] => (Array.isArray(row) ? row : []);

function textIn(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/** The text of a column in the form's language, in its only one, or in the first. */
export function translated(row: Row, column: string, language: string | undefined): string {
  const { cells } = row;
  const keys = Object.keys(cells);
  const key = [column, `${column}::${language}`].find((name) => Object.hasOwn(cells, name));
  return cells[key ?? keys.find((name) => name.startsWith(`${column}::`)) ?? ""] ?? "";
}

/** The tag in a language's name: `English (en)` is `en`. */
export function languageTag(name: string | undefined): string | undefined {
  const [, tag] = /\(([A-Za-z]{2,3}(?:-\w+)*)\)\s*$/.exec(name ?? "") ?? [];
  return tag ?? (/^[a-z]{2}(?:-[A-Z]{2})?$/.test(name ?? "") ? name : undefined);
}
