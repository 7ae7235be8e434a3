import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { importAgent } from "../../../../platforms/mod.ts";
import { diffGraphs } from "../../../agent/analysis/mod.ts";
import { isCallweaveError, StudioError, UsageError } from "../../../base/errors.ts";
import { readTextFile } from "../../../base/files/mod.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { canonicalJson, own } from "../../../base/values/mod.ts";
import { type AgentGraph, contentOf, nodeNames } from "../../../document/graph/mod.ts";
import { isModulePath } from "../../project/mod.ts";
import {
  acceptProposal,
  type ChangedFile,
  changeModule,
  createProposal,
  formatProposal,
  inSourceFormat,
  listProposals,
  rejectProposal,
  type StoredProposal,
} from "../../proposals/mod.ts";
import type { StudioAnswer, StudioProposal } from "../api/mod.ts";
import { loadAgent, type SourceAgent, shownGraph } from "./agents/mod.ts";
import type { Studio, StudioRequest } from "./studio.ts";

/** Other prompts of nodes, each with the one that it was written for. */
export interface ProposedPrompts {
  readonly agent: string;
  readonly prompts: readonly { readonly node: string; readonly before: string; readonly after: string }[];
  readonly title?: string | undefined;
  readonly reason?: string | undefined;
}

/** Reasons why the source cannot have a change, which are no mistakes of whoever asks. */
const REFUSED: readonly string[] = ["no-literal", "ambiguous-literal", "invalid-proposal"];

/** Writes a change of prompts as a patch of the agent's source, as it is now. The source stays as it is. */
export async function proposeAnswer({
  studio,
  body,
  who,
  signal,
  note,
}: StudioRequest<unknown, ProposedPrompts>): Promise<StudioAnswer<"propose">> {
  const { agent, prompts } = body;
  const source = await currentSource(studio, agent, signal);
  const { graph, format } = source.loaded;
  const after = await changedGraph(graph, prompts);
  const changes = createRedactor().value(
    diffGraphs(graph, after).map((change) => ({ ...change, path: [...change.path] })),
  );
  const names = nodeNames(graph);
  const title = body.title ?? `Another prompt of ${prompts.map(({ node }) => names.of(node)).join(", ")}`;
  const reason = body.reason ?? `Tried in the studio by ${who.name}`;
  try {
    const files = await changedFilesOf({ ...source, graph, format }, after, signal);
    const top = realpathSync(studio.folder);
    const proposal = await createProposal(studio.folder, {
      title: title.slice(0, MOST_TITLE),
      reason,
      files: files.map(({ file, before, after: text }) => ({
        path: relative(top, realpathSync(file)).split(sep).join("/"),
        before,
        after: text,
      })),
    });
    note({ proposal: proposal.name });
    return { proposal: shownProposal(proposal), refused: null, changes };
  } catch (error) {
    if (!isCallweaveError(error) || !REFUSED.includes(error.code)) throw error;
    const { code, message, hint } = createRedactor().value({
      code: error.code,
      message: error.message,
      hint: error.hint,
    });
    note({ refused: code });
    return { proposal: null, refused: { code, message, hint: hintFor(code, hint) }, changes };
  }
}

const MOST_TITLE = 120;

/** The hints of the command line name its flags. */
function hintFor(code: string, hint: string): string {
  return code === "invalid-proposal" ? hint : "Make the change in the source by hand";
}

/** The source as it is on disk now, not as it was when it was loaded last. */
async function currentSource(studio: Studio, id: string, signal: AbortSignal) {
  const { source } = await studio.agents.find(id);
  const refuse = (state: string, hint: string) =>
    new StudioError(`Cannot change "${id}": ${state}`, { code: "unknown-agent", path: ["agent"], hint });
  if (!source) throw refuse("its source is not here", "Start the studio with the agent's source");
  const loaded = await loadAgent(source, signal);
  if (!loaded) throw refuse("the request was aborted", "Try again");
  if ("problem" in loaded) throw refuse(loaded.problem.message, loaded.problem.hint);
  return { ...source, loaded };
}

/**
 * The graph with the prompts.
 *
 * @throws {StudioError} `proposal-conflict` where the source has another prompt than the one that was edited.
 */
async function changedGraph(graph: AgentGraph, prompts: ProposedPrompts["prompts"]): Promise<AgentGraph> {
  const { applyChanges } = await import("../../../run/diagnosis/mod.ts");
  const shown = shownGraph(graph);
  const redactor = createRedactor();
  for (const [index, { node, before, after }] of prompts.entries()) {
    const prompt = own(graph.nodes, node)?.state_prompt;
    if (prompt === undefined)
      throw new StudioError(`Cannot change the prompt of "${node}": the agent has no such node`, {
        code: "unknown-target",
        path: ["prompts", index, "node"],
        hint: "Name a node of the agent",
      });
    const asShown = redactor.text(own(shown.nodes, node)?.state_prompt ?? "");
    if (prompt !== asShown)
      throw new UsageError(`Cannot change the prompt of "${node}": it has a secret, which is not shown`, {
        code: "invalid-proposal",
        path: ["prompts", index],
        hint: "Change the source by hand",
      });
    if (prompt !== before && prompt !== after)
      throw new StudioError(`Cannot change the prompt of "${node}": somebody has changed it in the source since`, {
        code: "proposal-conflict",
        path: ["prompts", index],
        hint: "Nothing was written; load the agent again, and make the change in its prompt as it is now",
      });
  }
  const changed = prompts.filter(({ node, after }) => own(graph.nodes, node)?.state_prompt !== after);
  if (changed.length === 0)
    throw new StudioError("Cannot propose the change: the source has these prompts already", {
      code: "invalid-request",
      path: ["prompts"],
      hint: "Change a prompt first",
    });
  return applyChanges(
    graph,
    changed.map(({ node, after }) => ({ verb: "set_prompt", node, text: after })),
  );
}

/** The files of the source with a change of the graph. */
async function changedFilesOf(
  source: Pick<SourceAgent, "path" | "exportName" | "scenarioFiles"> & {
    readonly graph: AgentGraph;
    readonly format: string;
  },
  after: AgentGraph,
  signal: AbortSignal,
): Promise<readonly ChangedFile[]> {
  const { path, graph, format, exportName } = source;
  if (isModulePath(path)) {
    const load = async (copy: string) => {
      const loaded = await loadAgent({ path: copy, exportName, format: undefined, scenarioFiles: [] }, signal);
      if (loaded && "graph" in loaded) return loaded.graph;
      throw unlocated(path, loaded ? loaded.problem.message : "the request was aborted");
    };
    return await changeModule(path, graph, after, load);
  }
  const before = await readTextFile(path);
  const text = inSourceFormat(after, { format, text: before });
  if (!isGraphOf(before, format, graph)) throw unlocated(path, "it was saved just now");
  if (!isGraphOf(text, format, after)) throw unlocated(path, "written in its format, the agent would be another one");
  return [{ file: path, before, after: text }];
}

/** Whether a document gives exactly a graph. */
function isGraphOf(text: string, format: string, graph: AgentGraph): boolean {
  try {
    return canonicalJson(contentOf(importAgent(text, { format }).graph)) === canonicalJson(contentOf(graph));
  } catch (error) {
    if (isCallweaveError(error)) return false;
    throw error;
  }
}

function unlocated(path: string, state: string): UsageError {
  return new UsageError(`Cannot write the change into "${path}": ${state}`, {
    code: "no-literal",
    hint: "Make the change in the source by hand",
  });
}

/** The open proposals. */
export async function proposalsAnswer({ folder }: Studio): Promise<StudioAnswer<"proposals">> {
  const all = await listProposals(folder);
  return { items: all.filter(({ state }) => state === "open").map(shownProposal) };
}

/** Writes a proposal into the files as they are now. */
export async function acceptAnswer({ folder }: Studio, name: string): Promise<StudioAnswer<"acceptProposal">> {
  return { files: (await acceptProposal(folder, name)).map((file) => ({ ...file })) };
}

/** Puts a proposal away. */
export async function rejectAnswer({ folder }: Studio, name: string): Promise<StudioAnswer<"rejectProposal">> {
  await rejectProposal(folder, name);
  return { done: true };
}

/** A proposal as the API shows it. */
export function shownProposal(proposal: StoredProposal): StudioProposal {
  const { name, state, title, reason, madeAt, files } = proposal;
  const patch = formatProposal(proposal);
  const shown = createRedactor().value({
    ...{ name, state, title, reason, madeAt, patch },
    files: files.map(({ path }) => path),
  });
  return { ...shown, isRedacted: shown.patch !== patch };
}
