import { createTwoFilesPatch, FILE_HEADERS_ONLY, parsePatch } from "diff";
import { UsageError } from "../../base/errors.ts";
import { oneLine } from "../../base/values/mod.ts";

/** A file of a proposal: its text before and after. */
export interface ProposedFile {
  /** From the project's folder, with `/`. */
  readonly path: string;
  /** The text that the proposal was made for; `null`: the file is new. */
  readonly before: string | null;
  readonly after: string;
}

/** A proposed change of a project's files. */
export interface Proposal {
  /** One line. */
  readonly title: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly madeAt: string;
  readonly files: readonly ProposedFile[];
}

const HEAD = "# Callweave proposal 1";
const NO_FILE = "/dev/null";
/** Lines that a file may change in: comparing more takes long. */
const MOST_EDITS = 10_000;
/** Lines around a change, as people read it. */
const CONTEXT = 3;

/**
 * A proposal as a patch with every line of its files, so that the patch alone holds the texts before and after: merging
 * needs both. `git apply` reads it too.
 */
export function patchOf(proposal: Proposal): string {
  return headOf(proposal) + diffOf(proposal.files, Number.MAX_SAFE_INTEGER);
}

/** A proposal for people: its title, its reason, and the changed lines with three lines around them. */
export function formatProposal(proposal: Proposal): string {
  return headOf(proposal) + diffOf(proposal.files, CONTEXT);
}

function headOf({ title, reason, madeAt }: Proposal): string {
  const lines = reason.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `# | ${oneLine(line)}`);
  return [HEAD, `# title: ${oneLine(title)}`, `# made: ${madeAt}`, ...lines, ""].join("\n");
}

function diffOf(files: readonly ProposedFile[], context: number): string {
  const options = { context, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MOST_EDITS };
  return files
    .map(({ path, before, after }) => {
      const end = path.includes(" ") ? "" : undefined; // git reads a name with spaces up to a tab
      const old = before === null ? NO_FILE : `a/${path}`;
      const diff = createTwoFilesPatch(old, `b/${path}`, before ?? "", after, end, end, options);
      if (diff !== undefined) return diff;
      throw new UsageError(`Cannot write "${path}" as a patch: it changes in more than ${MOST_EDITS} lines`, {
        code: "invalid-proposal",
        path: [path],
        hint: "Propose a smaller change",
      });
    })
    .join("");
}

/**
 * Reads the patch of a proposal.
 *
 * @throws {UsageError} `invalid-proposal` for a patch that was edited so that it does not have all lines of its files.
 */
export function parseProposal(name: string, text: string): Proposal {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("--- "));
  const head = lines.slice(0, start);
  const field = (key: string) => head.find((line) => line.startsWith(`# ${key}: `))?.slice(key.length + 4);
  const [title, madeAt] = [field("title"), field("made")];
  if (start < 0 || head[0] !== HEAD || title === undefined || madeAt === undefined)
    throw damaged(name, "it is no proposal of Callweave");
  const reason = head.flatMap((line) => (line.startsWith("# | ") ? [line.slice(4)] : [])).join("\n");
  return { title, reason, madeAt, files: filesOf(name, lines.slice(start).join("\n")) };
}

function filesOf(name: string, diff: string): readonly ProposedFile[] {
  const files = read(name, diff).map(({ oldFileName: old = "", newFileName: path = "", hunks }): ProposedFile => {
    const [hunk, ...others] = hunks;
    const isNew = old === NO_FILE;
    if (!hunk || others.length > 0 || !path.startsWith("b/") || (!isNew && old !== `a/${path.slice(2)}`))
      throw damaged(name, `it does not have all lines of ${path || "a file"}`);
    const isWhole = hunk.oldStart <= 1 && hunk.newStart <= 1;
    if (!isWhole) throw damaged(name, `it does not have all lines of ${path}`);
    const before = side(hunk.lines, "-");
    if (isNew && before !== "") throw damaged(name, `${path} is new, and has lines before`);
    return { path: path.slice(2), before: isNew ? null : before, after: side(hunk.lines, "+") };
  });
  // what is shown must be what is applied
  const again = diffOf(files, Number.MAX_SAFE_INTEGER);
  if (files.length === 0 || again !== diff) throw damaged(name, "its lines were changed by hand");
  return files;
}

function read(name: string, diff: string): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(diff);
  } catch (cause) {
    throw damaged(name, cause instanceof Error ? cause.message : "it cannot be read");
  }
}

/** The text of one side of a hunk with every line. */
function side(lines: readonly string[], sign: "+" | "-"): string {
  let text = "";
  let isMine = false;
  for (const line of lines) {
    if (line.startsWith("\\")) {
      if (isMine) text = text.slice(0, -1); // no line break at the end of the file
      continue;
    }
    isMine = line[0] === " " || line[0] === sign;
    if (isMine) text += `${line.slice(1)}\n`;
  }
  return text;
}

function damaged(name: string, state: string): UsageError {
  return new UsageError(`Cannot read the proposal "${name}": ${state}`, {
    code: "invalid-proposal",
    path: [name],
    hint: `Make the proposal again, and remove this one: callweave proposals reject ${name}`,
  });
}
