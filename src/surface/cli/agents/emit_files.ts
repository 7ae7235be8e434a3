import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { EmittedFile } from "../../../../platforms/mod.ts";
import { UsageError } from "../../../base/errors.ts";
import { parseJsonFile, readIfPresent, type WriteFileOptions } from "../../../base/files/mod.ts";
import { isRecord } from "../../../base/values/mod.ts";
import { isModulePath } from "../../project/mod.ts";
import { unwritable, writeTextFile } from "../io/mod.ts";
import { isSameFile, refuseOverwriting } from "../sources.ts";

/** Name of the record of what was written into a folder. It belongs into the repository, beside the files. */
export const RECORD = "callweave.files.json";

/** A document, the files beside it, and where they go. */
export interface FolderOutput {
  /** A folder, or the document's file; the others then go beside it. */
  readonly out: string;
  /** Name of the document in a folder. */
  readonly fileName: string;
  readonly text: string;
  readonly files: readonly EmittedFile[];
  /** The file that the agent was read from. If it is a document, its edits are in the new one, and it may be written. */
  readonly source: string;
  /** Whether the source is a module, which is never written. */
  readonly isModule: boolean;
  /** Write over files that were edited. */
  readonly overwrite: boolean;
}

/**
 * Writes a document and the files beside it. A file counts as edited if its text is neither the new one nor the one that
 * was written last, as the folder's record says. Nothing is written if one was edited.
 *
 * @returns Paths of all files, the document first.
 * @throws {UsageError} `edited-file`, `unwritable-file`, `usage` if a file is the module that the agent was read from,
 *   `invalid-json` for a damaged record.
 */
export async function writeEmitted(output: FolderOutput, options: WriteFileOptions = {}): Promise<readonly string[]> {
  const { folder, name } = placeOf(output);
  const all = [{ path: name, text: output.text }, ...output.files];
  for (const { path } of all) checkPath(path);
  const record = join(folder, RECORD);
  const known = readRecord(record, await read(record));
  const edited: string[] = [];
  for (const { path, text } of all) {
    const file = join(folder, path);
    if (output.isModule) refuseOverwriting("--out", file, [{ what: "the flow", path: output.source }]);
    const there = isSameFile(file, output.source) ? undefined : await read(file);
    if (there !== undefined && fingerprint(there) !== fingerprint(text) && fingerprint(there) !== known.get(path))
      edited.push(file);
  }
  if (edited.length > 0 && !output.overwrite) throw editedFiles(edited);
  for (const { path, text } of all) {
    await writeTextFile(join(folder, path), text, options);
    known.set(path, fingerprint(text));
  }
  const files = Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  await writeTextFile(record, `${JSON.stringify({ files }, null, 2)}\n`, options);
  return all.map(({ path }) => join(folder, path));
}

/** Where a document goes, and what it is. */
export interface DocumentOutput extends Omit<FolderOutput, "fileName" | "files" | "isModule"> {
  readonly format: { readonly name: string; readonly fileName?: string };
  readonly files: readonly EmittedFile[] | undefined;
}

/**
 * Writes an emitted document to a file; or into a folder, under its own name and with the files beside it, if it has some
 * or the path ends like a folder's.
 *
 * @returns Paths of all files of a folder; none for a single file.
 * @throws {UsageError} Like {@link writeEmitted}.
 */
export async function writeDocument(
  { format, files = [], ...output }: DocumentOutput,
  options: WriteFileOptions,
): Promise<readonly string[]> {
  if (files.length === 0 && !/[/\\]$/.test(output.out)) {
    await writeTextFile(output.out, output.text, options);
    return [];
  }
  const { fileName = `${format.name}.json` } = format;
  return await writeEmitted({ ...output, fileName, files, isModule: isModulePath(output.source) }, options);
}

/** The folder, and the document's name in it. A path that exists as a folder, or has no file extension, is a folder. */
function placeOf({ out, fileName }: FolderOutput): { readonly folder: string; readonly name: string } {
  const isFolder =
    statSync(out, { throwIfNoEntry: false })?.isDirectory() ?? (/[\\/]$/.test(out) || extname(out) === "");
  return isFolder ? { folder: out, name: fileName } : { folder: dirname(out), name: basename(out) };
}

/** Refuses a path that leaves its folder, or that is the record. */
function checkPath(path: string): void {
  const isInside = path.split("/").every((part) => !["", ".", ".."].includes(part)) && !/[\\:\0]/.test(path);
  if (isInside && path !== RECORD) return;
  throw new UsageError(`Cannot write "${path}": it is no path inside the folder`, {
    code: "unwritable-file",
    path: [path],
    hint: "Name another file for --out",
  });
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readIfPresent(path);
  } catch (cause) {
    throw unwritable(`"${path}"`, cause, [path]);
  }
}

/** Reads the fingerprints of what was written last. */
function readRecord(path: string, text: string | undefined): Map<string, unknown> {
  const value = text === undefined ? {} : parseJsonFile(path, text);
  return new Map(Object.entries(isRecord(value) && isRecord(value.files) ? value.files : {}));
}

/** A hash of a text. Git may change the line ends of a file. */
function fingerprint(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

function editedFiles(paths: readonly string[]): UsageError {
  const names = paths.map((path) => `"${path}"`).join(", ");
  const [was, they] = paths.length === 1 ? ["was", "it"] : ["were", "them"];
  return new UsageError(`Cannot write the agent: ${names} ${was} edited, or ${was} not written by callweave emit`, {
    code: "edited-file",
    path: [paths[0] ?? ""],
    hint: `Name another folder for --out, or write over ${they} with --overwrite-edited`,
  });
}
