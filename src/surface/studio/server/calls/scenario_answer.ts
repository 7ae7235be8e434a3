import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { scenarioModule } from "../../../../../dsl/mod.ts";
import { createRedactor } from "../../../../base/redaction/mod.ts";
import { freeName, slug } from "../../../../base/values/mod.ts";
import { type AgentGraph, fingerprint } from "../../../../document/graph/mod.ts";
import { briefScenario, type Scenario } from "../../../../document/scenario/mod.ts";
import { importPath, isModulePath } from "../../../project/mod.ts";
import { createProposal, listProposals } from "../../../proposals/mod.ts";
import type { Query, StudioAnswer, StudioLabel } from "../../api/mod.ts";
import { listLabels } from "../../data/mod.ts";
import type { SourceAgent } from "../agents/mod.ts";
import { shownProposal } from "../proposals.ts";
import type { Studio, StudioRequest } from "../studio.ts";
import { findCall } from "./call_answer.ts";

const MOST_LABELS = 200;
const LONGEST_FILE_NAME = 40;

interface Wanted {
  readonly script: boolean;
  readonly name: string | undefined;
  /** Only the labels of this person; `undefined`: of everybody. */
  readonly by: string | undefined;
}

/** A scenario written from a call, with the criteria that people have labelled, and what they said of it as notes. */
export async function scenarioAnswer({
  studio,
  params,
  query,
  who,
}: StudioRequest<Query<"callScenario">, unknown>): Promise<StudioAnswer<"callScenario">> {
  const by = query.blind === "true" ? who.name : undefined;
  const made = await scenarioOf(studio, params.call ?? "", { script: query.script === "true", name: query.name, by });
  const { scenario, notes, source } = made;
  return createRedactor().value({
    scenario: { ...briefScenario(scenario) },
    code: codeOf(studio, made, source ? fileBeside(studio, source, "scenarios.ts") : "scenarios.ts"),
    json: jsonOf(scenario),
    notes,
  });
}

/**
 * Proposes a scenario from a call as a new file beside the agent.
 *
 * @throws {StudioError} `unknown-call`; what `createProposal()` throws.
 */
export async function proposeScenarioAnswer({
  studio,
  params,
  body,
  note,
}: StudioRequest<unknown, { readonly script?: boolean | undefined; readonly name?: string | undefined }>): Promise<
  StudioAnswer<"proposeScenario">
> {
  const call = params.call ?? "";
  const made = await scenarioOf(studio, call, { script: body.script ?? false, name: body.name, by: undefined });
  const { scenario, notes, source } = made;
  const isModule = source === undefined || isModulePath(source.path);
  const file = await freeFile(studio, made);
  const proposal = await createProposal(studio.folder, {
    title: `Scenario from a call: ${scenario.name}`.slice(0, 120),
    reason: [`From call ${call}.`, ...notes].join("\n"),
    files: [{ path: file, after: isModule ? codeOf(studio, made, file) : jsonOf(scenario) }],
  });
  note({ proposal: proposal.name });
  const shown = shownProposal(proposal);
  const agent = source?.path ?? "AGENT";
  return {
    proposal: shown,
    notes: createRedactor().value(notes),
    command: `npx callweave run ${quoted(agent)} --scenarios ${quoted(file)}`,
  };
}

interface Made {
  readonly scenario: Scenario;
  readonly notes: string[];
  readonly graph: AgentGraph | undefined;
  /** The agent of the project, if the call is of it. */
  readonly source: SourceAgent | undefined;
}

async function scenarioOf(studio: Studio, id: string, { script, name, by }: Wanted): Promise<Made> {
  const { scenarioFromCall, unknownAgent } = await import("../../../../run/calls/mod.ts");
  const call = await findCall(studio, id);
  const run = await studio.data.store.findRun(call.runId);
  const [own, stored, labels] = await Promise.all([
    studio.agents.source(),
    studio.data.graphOf(run.graphFingerprint, run.id),
    listLabels(studio.data, { call: id, by, limit: MOST_LABELS }),
  ]);
  const source = own?.loaded?.name === run.agent ? own : undefined;
  const isKnown = fingerprint(stored) !== fingerprint(unknownAgent());
  const graph = source?.loaded?.graph ?? (isKnown ? stored : undefined);
  const made = await scenarioFromCall(call, {
    script,
    ...(graph ? { graph } : {}),
    ...(name === undefined ? {} : { name }),
  });
  const known = new Set(made.scenario.metrics.map(({ criterion }) => criterion));
  const criteria = [...new Set(labels.items.flatMap(({ criterion }) => criterion ?? []))].filter(
    (criterion) => !known.has(criterion),
  );
  const metrics = [...made.scenario.metrics, ...criteria.map((criterion) => ({ criterion }))];
  return {
    scenario: { ...made.scenario, metrics },
    notes: [...made.notes, ...labelNotes(labels.items)],
    graph,
    source,
  };
}

/** What people said, as notes on what the scenario expects. */
function labelNotes(labels: readonly StudioLabel[]): readonly string[] {
  const bad = labels.filter(({ verdict }) => verdict === "bad");
  return [
    ...(bad.length > 0 ? ["People say that the call was not good: expect what a good agent does instead."] : []),
    ...bad.toReversed().map(({ by, turn, criterion, what, words }) => {
      const place = turn === null ? "the whole call" : turn === 0 ? "the opening" : `turn ${turn}`;
      const about = criterion === null ? "" : `, ${criterion}`;
      const said = [what, words === null ? null : `the right words: "${words}"`].filter((each) => each !== null);
      return `${by} on ${place}${about}: ${said.join("; ") || "bad"}`;
    }),
  ];
}

/** @param file Path of the module from the project's folder. */
function codeOf({ folder }: Pick<Studio, "folder">, { scenario, graph, source }: Made, file: string): string {
  const none = { nodes: {}, entry_node_id: "", source_type: "", source_metadata: {}, snippets: {} };
  const name = source?.loaded?.flow;
  const flow =
    source && typeof name === "string"
      ? { name, from: importPath(join(realpathSync(folder), file), realpathSync(source.path)) }
      : undefined;
  return scenarioModule([scenario], graph ?? none, flow);
}

/** A word of a command as a shell takes it. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function jsonOf(scenario: Scenario): string {
  return `${JSON.stringify({ scenarios: [briefScenario(scenario)] }, null, 2)}\n`;
}

/** A file beside the agent's source, as a path from the project's folder. */
function fileBeside({ folder }: Pick<Studio, "folder">, { path }: SourceAgent, name: string): string {
  const top = realpathSync(folder);
  return relative(top, join(dirname(realpathSync(resolve(path))), name))
    .split(sep)
    .join("/");
}

/** A new file for a scenario: no file and no open proposal has its path. */
async function freeFile(studio: Studio, { scenario, source }: Made): Promise<string> {
  const ending = source === undefined || isModulePath(source.path) ? "ts" : "json";
  const open = (await listProposals(studio.folder)).filter(({ state }) => state === "open");
  const taken = new Set(open.flatMap(({ files }) => files.map(({ path }) => path)));
  const at = (name: string) => (source ? fileBeside(studio, source, `${name}.${ending}`) : `${name}.${ending}`);
  const isTaken = (name: string) => taken.has(at(name)) || existsSync(join(studio.folder, at(name)));
  const words = slug(scenario.name).toLowerCase().slice(0, LONGEST_FILE_NAME).replace(/_+$/, "") || "call";
  return at(freeName(`scenario_${words}`, isTaken, { joint: "_" }));
}
