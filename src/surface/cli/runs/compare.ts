import { type Style, styleFor } from "../../../base/values/mod.ts";
import type { ComparisonPolicy } from "../../../run/compare/mod.ts";
import type { RunRecord, Store } from "../../../run/store/mod.ts";
import { type Command, type ExitCode, usage } from "../arguments.ts";
import { openRuns } from "./delete.ts";

const DEFAULT_POLICY: ComparisonPolicy = "worse";

/** The policies of src/run/compare, which is loaded only on demand. */
const COMPARISON_POLICIES = ["worse", "changed", "never"] as const satisfies readonly ComparisonPolicy[];

/** `callweave runs compare`. */
export const runsCompareCommand: Command = {
  name: "runs compare",
  summary: "Show what got better or worse between two runs, and whether it is more than noise",
  spec: {
    positionals: [
      { name: "BASE", description: "The earlier run: id, its first characters, or a baseline's name" },
      { name: "HEAD", description: "The run to compare (default: the newest other run of the agent)", optional: true },
    ],
    flags: {
      "fail-on": {
        value: "POLICY",
        description: `When to exit with 1: ${COMPARISON_POLICIES.join(", ")} (default: ${DEFAULT_POLICY})`,
      },
      transcripts: { description: "Show a call of each run side by side for every scenario that changed" },
      scenario: { value: "NAME", repeats: true, description: "Show the calls of this scenario; repeatable" },
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print the comparison as JSON" },
    },
  },
  notes: [
    "More than noise: Fisher's exact test, two-sided, p at most 0.05 after correction for the number of scenarios.",
    "--fail-on worse: a scenario got worse; changed: also if one got better, or is in one run only; never: no difference fails.",
    "Exit code 3 when nothing got worse, but a run is only a part: a shard, selected scenarios, calls that were cancelled, ended in errors or are missing.",
  ],
  examples: ["callweave runs compare main", "callweave runs compare 01J 01K --transcripts --fail-on never"],
  run: async (args, terminal) => {
    const policy = policyOf(args.text("fail-on") ?? DEFAULT_POLICY);
    const { signal } = terminal;
    await using store = await openRuns(args, terminal);
    const base = await store.findRun(args.at("BASE"), { signal });
    const head =
      args.at("HEAD") === ""
        ? await newestBeside(store, base, signal)
        : await store.findRun(args.at("HEAD"), { signal });
    const [{ compareRuns, formatComparison, judgeComparison }, before, after] = await Promise.all([
      import("../../../run/compare/mod.ts"),
      store.countResults(base.id, { signal }),
      store.countResults(head.id, { signal }),
    ]);
    const comparison = compareRuns({ run: base, scenarios: before }, { run: head, scenarios: after });
    const names = args.texts("scenario");
    const known = comparison.scenarios.map(({ scenario }) => scenario);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw usage(`the runs do not both have a scenario "${unknown}"`, "Name a scenario that is compared");
    if (args.has("json")) terminal.out(`${JSON.stringify(comparison, null, 2)}\n`);
    else {
      const style = styleFor(terminal.stdout, terminal.env);
      const shown = args.has("transcripts") ? [...names, ...comparison.worse, ...comparison.better] : names;
      const details = new Map<string, string>();
      for (const scenario of new Set(shown)) {
        const change = comparison.scenarios.find((each) => each.scenario === scenario)?.change ?? "none";
        details.set(scenario, await callsOf(store, { scenario, change, base, head }, style, signal));
      }
      terminal.out(formatComparison(comparison, style, { detailsOf: (scenario) => details.get(scenario) }));
    }
    const outcome = judgeComparison(comparison, policy);
    if (policy === "never") return EXIT_CODES[outcome];
    const { missingIn } = await import("../../../run/summary/mod.ts");
    const lacking = [
      ...missingIn(base, before, { needsSet: false }).map((words) => `run ${base.id}: ${words}`),
      ...missingIn(head, after, { needsSet: false }).map((words) => `run ${head.id}: ${words}`),
    ];
    for (const words of lacking) terminal.err(`not compared as a whole: ${words}\n`);
    return outcome === "fail" || lacking.length === 0 ? EXIT_CODES[outcome] : EXIT_CODES.unknown;
  },
};

const EXIT_CODES = { pass: 0, fail: 1, unknown: 3 } as const satisfies { readonly [outcome: string]: ExitCode };

function policyOf(text: string): ComparisonPolicy {
  const policy = COMPARISON_POLICIES.find((each) => each === text);
  if (policy === undefined) throw usage(`--fail-on is "${text}"`, `Pass ${COMPARISON_POLICIES.join(", ")}`);
  return policy;
}

async function newestBeside(store: Store, base: RunRecord, signal: AbortSignal): Promise<RunRecord> {
  const newest = await store.listRuns({ agent: base.agent, limit: 2, signal });
  const head = newest.find(({ id }) => id !== base.id);
  if (!head) throw usage(`there is no other run of "${base.agent}"`, "Run the scenarios again, or pass the id of HEAD");
  return head;
}

/** Formats one call of each run side by side. */
async function callsOf(
  store: Store,
  given: {
    readonly scenario: string;
    readonly change: "worse" | "better" | "none";
    readonly base: RunRecord;
    readonly head: RunRecord;
  },
  style: Style,
  signal: AbortSignal,
): Promise<string> {
  const { scenario, change } = given;
  const { pairOfCalls, showCalls } = await import("../../../run/compare/mod.ts");
  const limit = Number.POSITIVE_INFINITY;
  const [before, after] = await Promise.all(
    [given.base, given.head].map(({ id: runId }) => store.listResults({ runId, scenario, limit, signal })),
  );
  const pair = pairOfCalls((before ?? []).toReversed(), (after ?? []).toReversed(), change);
  if (!pair) return "no calls to show\n";
  const [base, head] = await Promise.all([pair.base, pair.head].map(({ id }) => store.findResult(id, { signal })));
  return base && head ? showCalls(base, head, { ...style, width: style.width - 2 }) : "no calls to show\n";
}
