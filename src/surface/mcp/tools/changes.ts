import { realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import * as v from "valibot";
import { importAgent } from "../../../../platforms/mod.ts";
import { check } from "../../../agent/check/mod.ts";
import { isCallweaveError, UsageError } from "../../../base/errors.ts";
import { readTextFile } from "../../../base/files/mod.ts";
import { defined, oneLine } from "../../../base/values/mod.ts";
import type { Finding } from "../../../document/graph/mod.ts";
import { isModulePath, readFiles } from "../../project/mod.ts";
import { createProposal, formatProposal, isProposedPath, listProposals, readProposal } from "../../proposals/mod.ts";
import { itemsFrom } from "../answer.ts";
import { readCursor } from "../cursor.ts";
import type { ToolContext } from "../settings.ts";
import { names, PAGE, type Tool, text, toolOf } from "../tool.ts";
import { sourceOf } from "./load.ts";

const MOST_EDITS = 50;
const LONGEST_TEXT = 100_000;
const LONGEST_FILE = 500_000;
/** What stands for a secret in answers. Written into a file, it would replace the secret. */
const PLACEHOLDER = /\[(?:secret|[A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD)[A-Z0-9_]*)\]/g;

const FILE = text("Path of a file of the agent or its scenarios, from the project's folder, such as flow.ts");
const EDIT = v.strictObject({
  file: FILE,
  find: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(LONGEST_TEXT),
    v.description("Text of the file, exactly once in it, as it is now"),
  ),
  replace: v.pipe(v.string(), v.maxLength(LONGEST_TEXT), v.description("The text in its place")),
});
const WHOLE = v.strictObject({
  file: FILE,
  content: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(LONGEST_FILE),
    v.description("The whole text of a file, such as a new one"),
  ),
});

const proposeChange = toolOf({
  name: "propose_change",
  title: "Propose a change",
  description:
    "Writes a change of the agent or its scenarios as a patch below .callweave/proposals, for a person to accept. No file of the project is changed. Show the person the patch, and the command that accepts it. Never accept it yourself.",
  isReadOnly: false,
  input: v.strictObject({
    title: text("What changes, in one line", 120),
    reason: text("Why, with the calls or findings that show it", 4_000),
    edits: v.pipe(
      v.array(v.union([EDIT, WHOLE])),
      v.minLength(1),
      v.maxLength(MOST_EDITS),
      v.description("Applied in order"),
    ),
  }),
  run: async ({ title, reason, edits }, context) => {
    const known = await filesOf(context);
    const texts = new Map<string, { readonly before: string | undefined; after: string }>();
    for (const [index, edit] of edits.entries()) {
      const file = texts.get(edit.file) ?? (await fileNamed(edit.file, known, context));
      texts.set(edit.file, { before: file.before, after: edited(file.after, edit, index) });
    }
    for (const [path, { before = "", after }] of texts) refusePlaceholders(path, before, after);
    // of the text that was read: a save meanwhile is merged with, and not taken back
    const files = [...texts].map(([path, { before, after }]) => ({ path, after, ...defined({ before }) }));
    const proposal = await createProposal(context.folder, { title, reason, files });
    const { name } = proposal;
    const checked = [...texts].flatMap(([path, { after }]) => findingsIn(path, after, context));
    return {
      facts: {
        proposal: name,
        file: `.callweave/proposals/${name}.patch`,
        patch: formatProposal(proposal),
        ...(checked.length > 0
          ? { findings: checked.flat() }
          : { note: "code is not run before a person has accepted it" }),
        next: `Ask the person to look at it with npx callweave proposals show ${name}, and to accept it with npx callweave proposals accept ${name}`,
      },
    };
  },
});

const listAll = toolOf({
  name: "list_proposals",
  title: "List the proposals",
  description:
    "Lists the proposed changes and whether a person has accepted or rejected them. With names also their patches.",
  input: v.strictObject({ names: v.optional(names("Only these proposals, with their patches")), ...PAGE }),
  run: async (input, { folder }) => {
    const start = readCursor("list_proposals", input);
    const found =
      input.names === undefined
        ? await listProposals(folder)
        : await Promise.all(input.names.map((name) => readProposal(folder, name)));
    const rows = found.map((proposal) => ({
      proposal: proposal.name,
      state: proposal.state,
      title: proposal.title,
      reason: proposal.reason,
      made: proposal.madeAt,
      files: proposal.files.map(({ path }) => path),
      ...(input.names === undefined ? {} : { patch: formatProposal(proposal) }),
    }));
    return { facts: {}, list: { key: "proposals", items: itemsFrom(rows, start), limit: input.limit } };
  },
});

/** Tools for changes that a person accepts. */
export const CHANGE_TOOLS: readonly Tool[] = [proposeChange, listAll];

/** The files that the project's agent, scenarios and policies are made of, from the project's folder. */
async function filesOf(context: ToolContext): Promise<ReadonlySet<string>> {
  const { scenarioFiles, policyFiles } = context.settings;
  const read = await Promise.all([sourceOf(context), ...scenarioFiles, ...policyFiles].map((path) => readFiles(path)));
  const top = realpathSync(context.folder);
  const present = read.flatMap((files) => [...files].flatMap(([file, found]) => (found === undefined ? [] : [file])));
  return new Set(present.map((file) => relative(top, realpathSync(file)).split(sep).join("/")));
}

/** The text of a file to change: one of the project's, or a new one. */
async function fileNamed(path: string, known: ReadonlySet<string>, { folder }: ToolContext) {
  if (known.has(path)) {
    const before = await readTextFile(resolve(folder, path));
    return { before, after: before };
  }
  const isNew =
    isProposedPath(path) &&
    !(await readTextFile(resolve(folder, path)).then(
      () => true,
      () => false,
    ));
  if (isNew) return { before: undefined, after: "" };
  throw new UsageError(`Cannot change "${oneLine(path)}": it is no file of the agent or its scenarios`, {
    code: "invalid-proposal",
    path: ["edits"],
    hint: `Name one of ${[...known].filter(isProposedPath).slice(0, 20).join(", ")}, or a new file such as more_scenarios.ts`,
  });
}

function edited(now: string, edit: v.InferOutput<typeof EDIT> | v.InferOutput<typeof WHOLE>, index: number): string {
  if ("content" in edit) return edit.content;
  const { file, find, replace } = edit;
  const at = now.indexOf(find);
  if (at >= 0 && now.indexOf(find, at + 1) < 0) return now.slice(0, at) + replace + now.slice(at + find.length);
  throw new UsageError(
    `Cannot change "${file}": it ${at < 0 ? "does not have" : "has more than once"} the text to find`,
    {
      code: "invalid-proposal",
      path: ["edits", index, "find"],
      hint: at < 0 ? "Read the file as it is now, and copy its text" : "Find a longer text, which is in the file once",
    },
  );
}

/** Refuses texts in which a secret was replaced by what stands for it in answers. */
function refusePlaceholders(path: string, before: string, after: string): void {
  const count = (text: string) => text.match(PLACEHOLDER)?.length ?? 0;
  if (count(after) <= count(before)) return;
  throw new UsageError(
    `Cannot change "${path}": its text would have ${after.match(PLACEHOLDER)?.[0]} in place of a secret`,
    {
      code: "invalid-proposal",
      path: ["edits"],
      hint: "Find and replace only the words that change; answers do not show secrets",
    },
  );
}

/** The findings of a document as it would be. Modules are not loaded: nobody has accepted their code. */
function findingsIn(path: string, after: string, context: ToolContext): readonly (readonly Finding[])[] {
  const { source, format } = context.settings;
  if (isModulePath(path) || source === undefined || resolve(source) !== resolve(context.folder, path)) return [];
  try {
    const { graph, findings } = importAgent(after, format === undefined ? {} : { format });
    return [[...findings, ...check(graph)]];
  } catch (error) {
    if (!isCallweaveError(error)) throw error;
    return [error.issues.map((issue) => ({ ...issue, severity: "error" as const }))];
  }
}
