import { lstat, open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { errorCode, parsedJson, shown } from "../values/mod.ts";
import { decodedText, readBytes, withoutMark } from "./read_file.ts";

/** What a folder, an archive or a workbook holds, as one value. */
export type Export =
  /** The JSON of the files in a folder or an archive, by their paths with `/`. */
  | { readonly files: { readonly [path: string]: unknown } }
  /** The sheets of a workbook: rows of cells, by the names of the sheets. */
  | { readonly sheets: { readonly [name: string]: readonly (readonly unknown[])[] } };

/** More than the exports of any tool have. */
const MOST_BYTES = 100 * 2 ** 20;
const MOST_FILES = 10_000;
const MOST_DEPTH = 20;

/** Folders that belong to tools, not to an export. */
const SKIPPED = new Set(["node_modules", ".git"]);

/**
 * Reads an export that is not one text: a folder or a `.zip` of JSON files, or an `.xlsx` workbook. Links are not
 * followed. Returns `undefined` for any other file, and for a folder without `agent.json` in it or in one of its
 * folders: it is no export, but a project.
 *
 * @example
 * const { graph } = importAgent(await readExport("agent.zip"));
 *
 * @throws {UsageError} `usage`; `invalid-json`; `missing-package` for a workbook without read-excel-file; `unreadable-file` for one that is broken, or has more than 100 MiB or 10,000 files.
 */
export async function readExport(path: string): Promise<Export | undefined> {
  if (typeof path !== "string")
    throw new UsageError(`Cannot read an export: its path is ${shown(path)}`, { code: "usage", hint: "Pass a path" });
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return (await isExport(path)) ? { files: parsed(await filesIn(path), path) } : undefined;
  if (!found?.isFile() || !(await isArchive(path))) return undefined;
  if (found.size > MOST_BYTES) throw tooLarge(path);
  const bytes = await readBytes(path);
  const { unzipSync } = await import("fflate");
  const names: string[] = [];
  let size = 0;
  const unpacked = inArchive(path, () =>
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.push(name);
        size += originalSize;
        if (size > MOST_BYTES || names.length > MOST_FILES) throw tooLarge(path);
        return isJson(name);
      },
    }),
  );
  if (names.includes("xl/workbook.xml")) return { sheets: await sheetsOf(bytes, path) };
  const texts = Object.entries(unpacked).map(([name, content]): [string, string] => [
    name.replaceAll("\\", "/"),
    decodedText(content, `"${name}" in "${path}"`, [path, name]),
  ]);
  return { files: parsed(new Map(texts), path) };
}

const isJson = (name: string): boolean => name.endsWith(".json");

/** Whether a file begins like a ZIP archive. Files that cannot be opened are left to whoever reads them as a text. */
async function isArchive(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(4), 0, 4, 0);
    return bytesRead === 4 && [0x50, 0x4b, 3, 4].every((byte, index) => buffer[index] === byte);
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/** Whether a folder is what an archive was unpacked to, and no folder of other things. */
async function isExport(path: string): Promise<boolean> {
  const entries = await readdir(path, { withFileTypes: true }).catch(asUnreadable(path));
  const inside = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
  const places = [path, ...inside.map(({ name }) => join(path, name))];
  const found = await Promise.all(places.map((place) => stat(join(place, "agent.json")).catch(() => undefined)));
  return found.some((file) => file?.isFile());
}

/** The texts of the JSON files in a folder. */
async function filesIn(root: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let size = 0;
  const walk = async (folder: string, depth: number) => {
    if (depth > MOST_DEPTH) throw tooLarge(root);
    for (const name of (await readdir(join(root, folder)).catch(asUnreadable(root))).sort()) {
      if (SKIPPED.has(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const found = await lstat(join(root, path)).catch(asUnreadable(join(root, path)));
      if (found.isDirectory()) await walk(path, depth + 1);
      if (!found.isFile() || !isJson(name)) continue;
      size += found.size;
      if (size > MOST_BYTES || texts.size >= MOST_FILES) throw tooLarge(root);
      const bytes = await readFile(join(root, path)).catch(asUnreadable(join(root, path)));
      texts.set(path, decodedText(bytes, `"${join(root, path)}"`, [root, path]));
    }
  };
  await walk("", 0);
  return texts;
}

function parsed(texts: ReadonlyMap<string, string>, path: string): { readonly [path: string]: unknown } {
  const entries = [...texts].map(([name, text]): [string, unknown] => {
    const value = parsedJson(withoutMark(text));
    if (value !== undefined) return [name, value];
    throw new UsageError(`Cannot read "${path}": its file ${shown(name)} is not JSON`, {
      code: "invalid-json",
      path: [path, name],
      hint: "Export it again",
    });
  });
  return Object.fromEntries(entries);
}

async function sheetsOf(bytes: Uint8Array, path: string) {
  const { default: readSheets } = await import("read-excel-file/universal").catch((cause: unknown) => {
    throw new UsageError(`Cannot read "${path}": reading workbooks needs the package read-excel-file`, {
      code: "missing-package",
      path: [path],
      hint: "Install it: npm install read-excel-file",
      cause,
    });
  });
  try {
    const sheets = await readSheets(new Blob([new Uint8Array(bytes)]));
    return Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data]));
  } catch (cause) {
    throw broken(path, cause);
  }
}

function inArchive<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof UsageError ? cause : broken(path, cause);
  }
}

function broken(path: string, cause: unknown): UsageError {
  const message = `Cannot read "${path}": the archive is broken`;
  return new UsageError(message, { code: "unreadable-file", path: [path], hint: "Export it again", cause });
}

function tooLarge(path: string): UsageError {
  const message = `Cannot read "${path}": it has more than ${MOST_BYTES / 2 ** 20} MiB or ${MOST_FILES} files`;
  return new UsageError(message, { code: "unreadable-file", path: [path], hint: "Pass the export of one agent" });
}

const asUnreadable =
  (path: string) =>
  (cause: unknown): never => {
    const message = `Cannot read "${path}": ${errorCode(cause) ?? "the file system refuses it"}`;
    throw new UsageError(message, {
      code: "unreadable-file",
      path: [path],
      hint: "Check the path and its permissions",
      cause,
    });
  };
