import { StoreError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import {
  defined,
  formatDollars,
  oneLine,
  paint,
  quotedList,
  type Style,
  styleFor,
  wrap,
} from "../../../base/values/mod.ts";
import { type AgentGraph, fingerprint } from "../../../document/graph/mod.ts";
import { parseScenarios, type Scenario, scenariosAsPlayed } from "../../../document/scenario/mod.ts";
import { KIND } from "../../../document/settings/mod.ts";
import {
  type Diagnosis,
  diagnose,
  type MeasuredTrials,
  type Repair,
  type RepairEvent,
  type RepairOptions,
  type RepairTry,
  repair,
} from "../../../run/diagnosis/mod.ts";
import type { RunOptions } from "../../../run/runner/mod.ts";
import type { ResultRecord, Store, StoredRun } from "../../../run/store/mod.ts";
import {
  type AgentSource,
  codeVersion,
  exportedScenarios,
  loadPolicies,
  loadScenarios,
  loadSource,
} from "../../project/mod.ts";
import { type Arguments, type Command, type ExitCode, type Flag, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { CALL_FLAGS, GRAPH_FLAGS, readRunOptions, SOURCE_FLAGS } from "../run/mod.ts";
import { openRuns } from "../runs/mod.ts";
import { POLICY_FLAGS } from "../sources.ts";
import { formatDiagnosis } from "./format_diagnosis.ts";
import { readSaveTarget, type Saved, type SaveTarget, saveRepair } from "./save.ts";

/** Flags of runs that select scenarios, or how often they run. */
const UNUSED: readonly string[] = ["grep", "tag", "repeat", "variance", "min-pass-rate", "pass-any", "all-trials"];
const SHARED = Object.fromEntries(Object.entries(CALL_FLAGS).filter(([name]) => !UNUSED.includes(name)));
const MS_OF_MINUTE = 60_000;

const FLAGS = {
  fix: {
    description: "Apply the change to a copy, run the affected scenarios again, and accept it only if it helps",
  },
  repeats: {
    value: "N",
    kind: KIND.count,
    description: "With --fix: calls of each scenario, with and without the change (default: 8)",
  },
  "max-iterations": {
    value: "N",
    kind: KIND.count,
    description: "With --fix: maximum number of changes to try (default: 3)",
  },
  "max-usd": {
    value: "DOLLARS",
    kind: KIND.dollars,
    description: "With --fix: stop when the model calls cost more in total",
  },
  "max-minutes": {
    value: "MINUTES",
    kind: { type: "number", above: 0, to: 10_000 },
    description: "With --fix: stop after this time",
  },
  save: { description: "With --fix: print the repair as a patch of SOURCE, or write it with --out" },
  out: { value: "FILE", description: "With --save: new file; .patch changes SOURCE, .json is the repaired agent" },
  "diagnosis-model": {
    value: "MODEL",
    description: "Model that diagnoses and proposes changes (default: the judge's)",
  },
  ...SOURCE_FLAGS,
  ...POLICY_FLAGS,
  ...SHARED,
  scenario: { value: "NAME", repeats: true, description: "Only failed calls of this scenario; repeatable" },
  db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
  ...GRAPH_FLAGS,
  json: { description: "Print the diagnoses, or with --fix the repair, as JSON" },
} satisfies { readonly [name: string]: Flag };

const OUTCOMES = {
  repaired: "green",
  refused: "red",
  not_repairable: "yellow",
  unmeasurable: "yellow",
  stopped: "yellow",
} as const;

const FAILED: readonly ResultRecord["status"][] = ["fail", "error", "invalid"];

/** `callweave diagnose`. */
export const diagnoseCommand: Command = {
  name: "diagnose",
  summary: "Find the words at fault in a failed call, and verify a repair",
  spec: {
    positionals: [
      {
        name: "RESULT",
        description: "Id of a failed result, or of a run: then the first failed call of each scenario",
      },
      {
        name: "SOURCE",
        description: "Module or JSON of the agent (default: that of callweave.config.json, else the graph of the run)",
        optional: true,
      },
    ],
    flags: FLAGS,
  },
  notes: [
    "--fix needs the scenarios of the run: those that SOURCE exports, or --scenarios. Each rerun is stored as a run.",
    "SOURCE is never modified: --save prints a patch for git apply, or writes a new file.",
    "Exit codes: 0 diagnosed or repaired; 1 --fix accepted no change; 2 wrong usage or input; 3 stopped, or not saved.",
  ],
  examples: [
    "callweave diagnose 01J",
    "callweave diagnose 01J flow.ts --scenario 'money back' --model openai/gpt-5-mini",
    "callweave diagnose 01J flow.ts --scenarios scenarios.ts --fix --save --out repair.patch",
  ],
  run: async (args, terminal) => {
    const target = await readSaveTarget(args);
    await using store = await openRuns(args, terminal);
    const { signal } = terminal;
    const { stored, failed } = await findFailed(store, args.at("RESULT"), args.texts("scenario"), signal);
    const path = args.at("SOURCE");
    const exportName = args.text("export");
    const loaded =
      path === "" ? undefined : await loadSource(path, terminal, { exportName, format: args.text("from") });
    const graph = loaded?.graph ?? stored.graph;
    if (fingerprint(graph) !== stored.run.graphFingerprint)
      terminal.err("warning: the run was made with another version of the agent\n");
    const scenarios = scenariosAsPlayed(await scenariosOf(loaded, args, terminal), stored.results);
    const policies = await loadPolicies(loaded?.exports ?? {}, args.texts("policies"), terminal);
    const files = [...(path === "" ? [] : [path]), ...args.texts("scenarios"), ...args.texts("tests")];
    const version = await codeVersion(files);
    const given = await readRunOptions({ graph, name: stored.run.agent }, args, terminal);
    const options: RunOptions = {
      ...given,
      share: defined({ codeVersion: version }),
      judging: { ...given.judging, policies },
      name: stored.run.agent,
    };
    const work: Work = { graph, scenarios, stored, store, options, args, terminal };
    if (args.has("fix")) return await fix(failed, loaded && { ...loaded, path }, target, work);
    return await diagnoseAll(failed, work);
  },
};

/** Values that the steps of the command share. */
interface Work {
  readonly graph: AgentGraph;
  readonly scenarios: readonly Scenario[];
  readonly stored: StoredRun;
  readonly store: Store;
  readonly options: RunOptions;
  readonly args: Arguments;
  readonly terminal: Terminal;
}

async function scenariosOf(loaded: AgentSource | undefined, args: Arguments, terminal: Terminal) {
  const files = [...args.texts("scenarios"), ...args.texts("tests")];
  const found = await Promise.all(files.map((file) => loadScenarios(file, terminal)));
  return files.length > 0 ? found.flat() : parseScenarios(exportedScenarios(loaded?.exports ?? {}));
}

async function diagnoseAll(failed: readonly ResultRecord[], work: Work): Promise<ExitCode> {
  const { graph, scenarios, options, args, terminal } = work;
  const found: Diagnosis[] = [];
  for (const result of failed) {
    const scenario = scenarios.find(({ name }) => name === result.scenario);
    const { requests } = options;
    const diagnosis = await diagnose(result, graph, {
      ...modelOf(work),
      signal: terminal.signal,
      ...(scenario ? { scenario } : {}),
      ...(requests ? { requests } : {}),
    });
    found.push(createRedactor({ env: terminal.env }).value(diagnosis));
  }
  const style = styleFor(terminal.stdout, terminal.env);
  if (args.has("json")) terminal.out(`${JSON.stringify(found, null, 2)}\n`);
  else if (found.length === 0) terminal.out("no call of the run failed\n");
  else terminal.out(found.map((diagnosis) => formatDiagnosis(diagnosis, style)).join("\n"));
  return 0;
}

async function fix(
  failed: readonly ResultRecord[],
  source: (AgentSource & { readonly path: string }) | undefined,
  target: SaveTarget | undefined,
  work: Work,
): Promise<ExitCode> {
  const { graph, scenarios, stored, store, options, args, terminal } = work;
  const [result, ...others] = failed;
  if (!result) throw usage("no call of the run failed", "Name a run or a result that failed");
  if (others.length > 0) {
    const names = quotedList(failed.map(({ scenario }) => scenario));
    throw usage(`calls of several scenarios failed: ${names}`, `Choose one: --scenario "${result.scenario}"`);
  }
  if (scenarios.length === 0) throw usage("--fix needs the scenarios of the run", "Name SOURCE, or --scenarios FILE");
  const repaired = await repair(result, graph, {
    ...modelOf(work),
    ...repairFlags(args),
    scenarios,
    run: stored,
    runOptions: { ...options, store },
    signal: terminal.signal,
    onProgress: (event) => terminal.err(progressLine(event)),
  });
  const redactor = createRedactor({ env: terminal.env });
  const shown = redactor.value({ ...repaired, graph: repaired.graph });
  const style = styleFor(terminal.stdout, terminal.env);
  if (!args.has("json")) terminal.out(formatRepair(shown, style));
  let saved: Saved | undefined;
  try {
    if (target && repaired.graph) {
      const from = source ?? { graph, format: "graph", path: "" };
      saved = await saveRepair(repaired.graph, from, target, terminal, args.text("export"));
    }
  } finally {
    if (args.has("json")) terminal.out(`${JSON.stringify({ ...shown, ...(saved ? { saved } : {}) }, null, 2)}\n`);
  }
  if (saved && !args.has("json")) printSaved(saved, terminal);
  if (repaired.outcome === "repaired") return 0;
  return repaired.outcome === "stopped" ? 3 : 1;
}

function printSaved({ file, patch, folder }: Saved, terminal: Terminal): void {
  if (file === undefined && patch !== undefined) terminal.out(`\n${patch}`);
  if (file !== undefined) terminal.err(`wrote ${file}\n`);
  if (file !== undefined && patch !== undefined)
    terminal.err(`next: git apply ${file}${folder ? `, in ${folder}` : ""}\n`);
}

function modelOf({ options: { models }, args }: Work): Pick<RepairOptions, "model"> {
  const model = args.text("diagnosis-model") ?? models?.judge ?? models?.agent;
  return model === undefined ? {} : { model };
}

function repairFlags(args: Arguments): Partial<RepairOptions> {
  const repeats = args.number("repeats");
  const maxIterations = args.number("max-iterations");
  const costUsd = args.number("max-usd");
  const minutes = args.number("max-minutes");
  return {
    ...(repeats === undefined ? {} : { repeats }),
    ...(maxIterations === undefined ? {} : { maxIterations }),
    limits: {
      ...(costUsd === undefined ? {} : { costUsd }),
      ...(minutes === undefined ? {} : { wallMs: minutes * MS_OF_MINUTE }),
    },
  };
}

/** A stored run, and the results to diagnose: the first one of each scenario. */
export interface FailedCalls {
  readonly stored: StoredRun;
  readonly failed: readonly ResultRecord[];
}

/**
 * Finds a result by its id, or the failed results of a run by its id, unique prefix or baseline.
 *
 * @param only Names of scenarios; empty: all.
 * @throws {StoreError} `unknown-run`.
 * @throws {UsageError} `usage` for scenarios that the run does not have.
 */
async function findFailed(
  store: Store,
  id: string,
  only: readonly string[],
  signal: AbortSignal,
): Promise<FailedCalls> {
  const result = await store.findResult(id, { signal });
  if (result) return { stored: await store.showRun(result.runId, { signal }), failed: [result] };
  const stored = await runOf(store, id, signal);
  const names = new Set(stored.results.map(({ scenario }) => scenario));
  const unknown = only.find((name) => !names.has(name));
  if (unknown !== undefined) {
    const known = quotedList([...names]);
    throw usage(`the run has no scenario "${unknown}"`, `Name one of its scenarios: ${known}`);
  }
  const failed = new Map<string, ResultRecord>();
  for (const each of stored.results) {
    const isWanted = FAILED.includes(each.status) && (only.length === 0 || only.includes(each.scenario));
    // a failed check tells more about the agent than a call that could not be completed
    const known = failed.get(each.scenario);
    if (isWanted && (!known || (known.status !== "fail" && each.status === "fail"))) failed.set(each.scenario, each);
  }
  return { stored, failed: [...failed.values()] };
}

async function runOf(store: Store, id: string, signal: AbortSignal): Promise<StoredRun> {
  try {
    return await store.showRun(id, { signal });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "unknown-run") throw error;
    throw new StoreError(`Cannot diagnose "${id}": it is neither a result nor a run`, {
      code: "unknown-run",
      path: [id],
      hint: "Copy the id of a result from callweave runs show RUN --json, or that of a run from callweave runs list",
      cause: error,
    });
  }
}

/** Formats a repair: the diagnosis, each attempt with its numbers, and the outcome. */
function formatRepair(repair: Repair, style: Style): string {
  const { outcome, reason, diagnosis, before, tries, usage } = repair;
  const after = tries.findLast(({ accepted }) => accepted)?.failing?.after;
  const compare = before && after ? [`numbers: npx callweave runs compare ${before.runId} ${after.runId}`] : [];
  const cost = usage.costUsd === undefined ? "" : `, ${formatDollars(usage.costUsd)}`;
  return `${[
    ...(diagnosis ? [formatDiagnosis(diagnosis, style)] : []),
    ...tries.flatMap((tried, index) => tryLines(tried, index + 1, style)),
    ...wrap(style, `${outcome.replace("_", " ")}: ${reason}`, 0).map((line) => paint(style, OUTCOMES[outcome], line)),
    ...compare,
    paint(style, "dim", `${usage.calls} model calls${cost}`),
  ].join("\n")}\n`;
}

function tryLines(tried: RepairTry, number: number, style: Style): readonly string[] {
  const { accepted, diagnosis, reason, failing, affected } = tried;
  const verdict = paint(style, accepted ? "green" : "red", accepted ? "accepted" : "refused");
  const changes = diagnosis.diff.flatMap(({ message }) => wrap(style, message, 2));
  const rows = [
    ...(failing ? [row(failing.scenario, failing.before, failing.after, failing.isImproved ? "better" : "")] : []),
    ...affected.map(({ scenario, before, after, isWorse }) => row(scenario, before, after, isWorse ? "worse" : "")),
  ];
  return [`try ${number}: ${verdict}`, ...changes, ...wrap(style, reason, 2), ...rows, ""];
}

function row(scenario: string, before: MeasuredTrials | null, after: MeasuredTrials, word: string): string {
  const from = before ? `${before.passes}/${before.trials}` : "passed";
  return `    ${oneLine(scenario)}: ${from} → ${after.passes}/${after.trials}${word && ` ${word}`} (run ${after.runId})`;
}

/** Formats an event of a repair on one line; empty for events without a line. */
function progressLine(event: RepairEvent): string {
  switch (event.kind) {
    case "diagnosis":
      return `try ${event.attempt}: asking the model\n`;
    case "run": {
      const { measures, scenarios, repeats } = event;
      const what = scenarios.length === 1 ? `"${oneLine(scenarios[0] ?? "")}"` : `${scenarios.length} scenarios`;
      return `running ${what} ${repeats} times ${measures === "before" ? "without" : "with"} the change\n`;
    }
    case "try-end":
      return `try ${event.attempt}: ${event.tried.accepted ? "accepted" : "refused"}\n`;
    default:
      return "";
  }
}
