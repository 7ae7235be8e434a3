import { readdir, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { createFile, decodeText, fileProblem, makeFolder, withLock, writeFileTo } from "../../base/files/mod.ts";
import { errorCode, freeName, oneLine, quotedList } from "../../base/values/mod.ts";
import { fileInProject } from "./allowed_paths.ts";
import { mergeLines } from "./merge_lines.ts";
import { type Proposal, type ProposedFile, parseProposal, patchOf } from "./patch_text.ts";

/** Where a project's proposals are. Those that were decided are in folders of it. */
const FOLDER = join(".callweave", "proposals");
const DECIDED = ["accepted", "rejected"] as const;
const NAME = /^[a-z0-9][a-z0-9-]{0,59}$/;
const LONGEST_NAME = 40;
/** More proposals than this wait for nobody. */
const MOST_OPEN = 100;
const MOST_FILES = 20;
const MOST_BYTES = 2_000_000;

/** What is proposed: new texts of files. */
export interface NewProposal {
  readonly title: string;
  readonly reason: string;
  readonly files: readonly {
    readonly path: string;
    readonly after: string;
    /** The text that the change was made for. Default: the file as it is now. */
    readonly before?: string;
  }[];
}

/** A proposal with its name, and what became of it. */
export interface StoredProposal extends Proposal {
  readonly name: string;
  readonly state: "open" | (typeof DECIDED)[number];
}

/** What an accepted proposal did with a file. */
export interface AcceptedFile {
  readonly path: string;
  /**
   * `changed`: the file was as the proposal knew it. `merged`: it was edited since, elsewhere. `unchanged`: it has the
   * change already.
   */
  readonly outcome: "created" | "changed" | "merged" | "unchanged";
}

/**
 * Writes a proposal below `.callweave/proposals`. The files that it is about stay as they are.
 *
 * @param folder The project's.
 * @throws {UsageError} `invalid-proposal`, `unreadable-file`, `unwritable-file`.
 */
export async function createProposal(folder: string, { title, reason, files }: NewProposal): Promise<StoredProposal> {
  const repeated = files.find(({ path }, index) => files.findIndex((other) => other.path === path) !== index);
  if (repeated) throw invalid(`"${repeated.path}" is in it twice`, "Put all changes of a file together");
  if (files.length === 0 || files.length > MOST_FILES)
    throw invalid(`it changes ${files.length} files`, `Change 1 to ${MOST_FILES} files`);
  const bytes = files.reduce((sum, { after }) => sum + Buffer.byteLength(after), 0);
  if (bytes > MOST_BYTES) throw invalid("its files are too large", "Propose a change of fewer files");
  const read = await Promise.all(
    files.map(async ({ path, after, before }) => {
      const now = await textOf(fileInProject(folder, path), path);
      return { path, before: before ?? now, after };
    }),
  );
  const changed = read.filter(({ before, after }) => before !== after);
  if (changed.length === 0) throw invalid("it changes nothing", "Change a text of a file");
  const empty = changed.find(({ before, after }) => before === null && after === "");
  if (empty) throw invalid(`the new file "${empty.path}" has no text`, "Write its text");
  const open = await namesIn(join(folder, FOLDER));
  if (open.length >= MOST_OPEN)
    throw invalid(`${open.length} proposals are open`, "Ask the person to accept or reject some");
  const proposal: Proposal = { title: oneLine(title), reason, madeAt: new Date().toISOString(), files: changed };
  const patch = patchOf(proposal);
  if (Buffer.byteLength(patch) > MOST_BYTES)
    throw invalid("its files are too large", "Propose a change of fewer files");
  const name = await save(folder, nameFor(title), patch);
  return { ...parseProposal(name, patch), name, state: "open" };
}

function nameFor(title: string): string {
  const words =
    title
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, LONGEST_NAME).replace(/-+$/, "") || "change";
}

/** Writes the patch under a name that no proposal has or had. */
async function save(folder: string, wanted: string, patch: string): Promise<string> {
  const folders = [join(folder, FOLDER), ...DECIDED.map((state) => join(folder, FOLDER, state))];
  try {
    await makeFolder(join(folder, FOLDER));
    for (const taken = new Set((await Promise.all(folders.map(namesIn))).flat()); ; ) {
      const name = freeName(wanted, (each) => taken.has(each));
      if (await createFile(fileOf(folder, name), patch)) return name;
      taken.add(name); // another process was faster
    }
  } catch (cause) {
    throw unwritable(fileOf(folder, wanted), cause);
  }
}

/** The proposals of a project, the newest first. Files that are no proposals are left out. */
export async function listProposals(folder: string): Promise<readonly StoredProposal[]> {
  const found: StoredProposal[] = [];
  for (const state of ["open", ...DECIDED] as const) {
    const names = await namesIn(join(folder, FOLDER, state === "open" ? "" : state));
    for (const name of names) {
      const proposal = await read(folder, name, state).catch(() => undefined);
      if (proposal) found.push(proposal);
    }
  }
  return found.sort((a, b) => (a.madeAt < b.madeAt ? 1 : -1));
}

/**
 * A proposal by its name.
 *
 * @throws {UsageError} `unknown-proposal`, `invalid-proposal`.
 */
export async function readProposal(folder: string, name: string): Promise<StoredProposal> {
  for (const state of ["open", ...DECIDED] as const) {
    const found = NAME.test(name) ? await read(folder, name, state) : undefined;
    if (found) return found;
  }
  const open = await namesIn(join(folder, FOLDER));
  throw new UsageError(`Cannot find the proposal "${oneLine(name)}"`, {
    code: "unknown-proposal",
    path: [name],
    hint:
      open.length === 0 ? "There is none; callweave proposals list shows them" : `Name one of ${quotedList(open, 10)}`,
  });
}

/**
 * Applies a proposal to the files as they are now. Edits that were made since the proposal are kept: where it is about
 * the same lines, no file is written. A file is written only if it is still as it was read.
 *
 * @throws {UsageError} `unknown-proposal`, `invalid-proposal`, `proposal-conflict`, `unreadable-file`, `unwritable-file`.
 */
export async function acceptProposal(folder: string, name: string): Promise<readonly AcceptedFile[]> {
  return await decide(folder, name, "accepted", async ({ files }) => {
    const merged = await Promise.all(files.map((file) => mergeInto(folder, name, file)));
    for (const { file, path, now, text } of merged) {
      if (now === text) continue;
      const confirm = async () => {
        if ((await textOf(file, path)) !== now)
          throw conflict(name, path, "it was edited just now", `Accept it again: callweave proposals accept ${name}`);
      };
      await writeFileTo(file, text, { confirm }).catch((cause) => {
        throw cause instanceof UsageError ? cause : unwritable(path, cause);
      });
    }
    return merged.map(({ path, outcome }) => ({ path, outcome }));
  });
}

/**
 * Puts a proposal away.
 *
 * @throws {UsageError} `unknown-proposal`, `unwritable-file`.
 */
export async function rejectProposal(folder: string, name: string): Promise<void> {
  await decide(folder, name, "rejected", async () => {});
}

async function mergeInto(folder: string, name: string, { path, before, after }: ProposedFile) {
  const file = fileInProject(folder, path);
  const now = await textOf(file, path);
  const found = { file, path, now };
  if (now === after) return { ...found, text: after, outcome: "unchanged" as const };
  if (now === before) return { ...found, text: after, outcome: before === null ? "created" : "changed" } as const;
  if (now === null) throw conflict(name, path, "the file was removed since");
  if (before === null) throw conflict(name, path, "the file was created since");
  const text = mergeLines(before, now, after);
  if (text === undefined) throw conflict(name, path, "the same lines were edited since");
  if (path.endsWith(".json") && isJson(now) && isJson(after) && !isJson(text))
    throw conflict(name, path, "together with the edits since, it would be no JSON");
  return { ...found, text, outcome: "merged" as const };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Does the work of a decision, and moves the proposal. One process at a time decides. */
async function decide<Result>(
  folder: string,
  name: string,
  into: (typeof DECIDED)[number],
  work: (proposal: Pick<Proposal, "files">) => Promise<Result>,
): Promise<Result> {
  await checkOpen(folder, name);
  return await withLock(join(folder, FOLDER, "decide"), async (confirm) => {
    await checkOpen(folder, name); // somebody else may have been faster
    const path = fileOf(folder, name);
    // what cannot be read can still be put away
    const proposal = into === "accepted" ? parseProposal(name, (await textOf(path, path)) ?? "") : { files: [] };
    await confirm();
    const result = await work(proposal);
    try {
      await makeFolder(join(folder, FOLDER, into));
      await rename(path, join(folder, FOLDER, into, `${name}.patch`));
    } catch (cause) {
      throw unwritable(path, cause);
    }
    return result;
  });
}

/** @throws {UsageError} `unknown-proposal`. */
async function checkOpen(folder: string, name: string): Promise<void> {
  if (NAME.test(name) && (await namesIn(join(folder, FOLDER))).includes(name)) return;
  const { state } = await readProposal(folder, name);
  throw new UsageError(`Cannot decide on the proposal "${name}": it was ${state} before`, {
    code: "unknown-proposal",
    path: [name],
    hint: "callweave proposals list shows those that are open",
  });
}

async function read(folder: string, name: string, state: StoredProposal["state"]): Promise<StoredProposal | undefined> {
  const path = join(folder, FOLDER, state === "open" ? "" : state, `${name}.patch`);
  const text = await textOf(path, path);
  return text === null ? undefined : { ...parseProposal(name, text), name, state };
}

function fileOf(folder: string, name: string): string {
  return join(folder, FOLDER, `${name}.patch`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  return files.flatMap((file) => (file.endsWith(".patch") ? [file.slice(0, -".patch".length)] : [])).filter(isName);
}

function isName(name: string): boolean {
  return NAME.test(name);
}

/**
 * The text of a file; `null` if there is none. Files in other encodings than UTF-8 are refused: written again, they would
 * not be the same.
 */
async function textOf(file: string, path: string): Promise<string | null> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw invalid(`"${path}" is larger than ${MOST_BYTES / 1e6} MB`, "Change it by hand");
    const bytes = await readFile(file);
    const text = decodeText(bytes);
    if (!bytes.equals(Buffer.from(text))) throw invalid(`"${path}" is not written in UTF-8`, "Save it as UTF-8");
    return text;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    if (errorCode(cause) === "ENOENT") return null;
    const { state, hint } = fileProblem(cause, "read");
    throw new UsageError(`Cannot read "${path}": ${state}`, { code: "unreadable-file", path: [path], hint, cause });
  }
}

function invalid(state: string, hint: string): UsageError {
  return new UsageError(`Cannot propose the change: ${state}`, { code: "invalid-proposal", hint });
}

function conflict(name: string, path: string, state: string, hint?: string): UsageError {
  return new UsageError(`Cannot accept the proposal "${name}": in "${path}", ${state}`, {
    code: "proposal-conflict",
    path: [name, path],
    hint:
      hint ??
      `No file was written; make the change by hand, or have it proposed again: callweave proposals show ${name}`,
  });
}

function unwritable(path: string, cause: unknown): UsageError {
  const { state, hint } = fileProblem(cause, "write");
  return new UsageError(`Cannot write "${path}": ${state}`, { code: "unwritable-file", path: [path], hint, cause });
}
