import { cut, defined, oneLine, paint, type Style, styleFor } from "../../../base/values/mod.ts";
import { parseScenarios, type Scenario } from "../../../document/scenario/mod.ts";
import { CALL_SETTINGS, KIND } from "../../../document/settings/mod.ts";
import type { CallClusters, CallGroup } from "../../../run/calls/mod.ts";
import { exportedScenarios, loadScenarios, loadSource } from "../../project/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { openRuns } from "../runs/mod.ts";

const LONGEST_QUOTE = 90;

/** `callweave calls cluster`. */
export const callsClusterCommand: Command = {
  name: "calls cluster",
  summary: "Group stored calls by what the callers wanted, and show groups without a scenario",
  spec: {
    positionals: [
      { name: "RUN", repeats: true, description: "Ids of runs or their first characters: imported calls, or others" },
    ],
    flags: {
      agent: { value: "SOURCE", description: "Module whose exported scenarios may cover the groups" },
      scenarios: {
        value: "FILE",
        repeats: true,
        description: "Scenarios or JSON test cases that may cover the groups",
      },
      "embedding-model": {
        value: "MODEL",
        description: "provider/model that compares meanings, also across languages. Default: compares words",
      },
      model: {
        value: "MODEL",
        description: "provider/model that names the groups. Default: their most distinctive words",
      },
      similarity: {
        value: "N",
        kind: KIND.threshold,
        description: "Minimum average similarity of a group's calls, up to 1 (default: 0.2; with embeddings 0.5)",
      },
      top: { value: "N", kind: KIND.count, description: "Number of groups to print (default: 30)" },
      "try-timeout": CALL_SETTINGS["try-timeout"],
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print the result of clusterCalls() as JSON" },
    },
  },
  notes: [
    "Groups without a scenario come first, the most frequent at the top, each with the id of a call for to-scenario.",
  ],
  examples: [
    "callweave calls cluster 01JX7 --scenarios scenarios.ts",
    "callweave calls cluster 01JX7 01JX8 --embedding-model openai/text-embedding-3-small --model openai/gpt-5-mini",
  ],
  run: async (args, terminal) => {
    const similarity = args.number("similarity");
    const top = args.number("top") ?? 30;
    const seconds = args.number("try-timeout");
    const scenarios = await readScenarios(args, terminal);
    const calls = await readCalls(args, terminal);
    const { clusterCalls } = await import("../../../run/calls/mod.ts");
    const clusters = await clusterCalls(calls, {
      scenarios,
      signal: terminal.signal,
      ...defined({ embedding: args.text("embedding-model"), model: args.text("model"), similarity }),
      ...(seconds === undefined ? {} : { requests: { tryTimeoutMs: seconds * 1000 } }),
    });
    const style = styleFor(terminal.stdout, terminal.env);
    terminal.out(
      args.has("json")
        ? `${JSON.stringify(clusters, null, 2)}\n`
        : formatClusters(clusters, { style, top, hasScenarios: scenarios.length > 0 }),
    );
    return 0;
  },
};

async function readScenarios(args: Arguments, terminal: Terminal): Promise<readonly Scenario[]> {
  const loaded = await Promise.all(args.texts("scenarios").map((file) => loadScenarios(file, terminal)));
  const agent = args.text("agent");
  const exported = agent === undefined ? [] : exportedScenarios((await loadSource(agent, terminal)).exports);
  return [...loaded.flat(), ...parseScenarios(exported)];
}

/** Reads the transcripts of the runs; a call that is in several runs counts once. */
async function readCalls(args: Arguments, terminal: Terminal) {
  await using store = await openRuns(args, terminal);
  const calls = new Map<string, Awaited<ReturnType<typeof store.showRun>>["results"][number]>();
  for (const id of args.rest()) {
    const { results } = await store.showRun(id, { signal: terminal.signal });
    for (const result of results) if (result.transcript.length > 0) calls.set(result.id, result);
  }
  if (calls.size === 0) throw usage("the runs have no calls", "Choose other runs: callweave runs list");
  return [...calls.values()];
}

/** Formats groups of calls as text: those without a scenario first. */
function formatClusters(
  { groups, calls, coveredShare, unclear, by, similarity }: CallClusters,
  { style, top, hasScenarios }: { readonly style: Style; readonly top: number; readonly hasScenarios: boolean },
): string {
  const open = groups.filter(({ coveredBy }) => coveredBy.length === 0);
  const covered = groups.filter(({ coveredBy }) => coveredBy.length > 0);
  const shown = open.slice(0, top);
  const lines = [
    `${calls} calls in ${groups.length} groups, by ${by} (similarity ${similarity})`,
    ...(hasScenarios ? [`covered by scenarios: ${percent(coveredShare)} of the calls`] : []),
    "",
    paint(style, "bold", titleOf(groups, open, hasScenarios)),
    ...shown.flatMap((group) => lineOf(group, style)),
    ...(open.length > shown.length ? [restOf(open.slice(top))] : []),
    ...(covered.length > 0 ? ["", paint(style, "bold", "Covered")] : []),
    ...covered
      .slice(0, top)
      .flatMap((group) => [
        ...lineOf(group, style),
        paint(style, "dim", `          scenario ${group.coveredBy.map((name) => `"${oneLine(name)}"`).join(", ")}`),
      ]),
    ...(covered.length > top ? [restOf(covered.slice(top))] : []),
    ...(unclear.length > 0 ? ["", `${unclear.length} calls do not say what the caller wanted`] : []),
  ];
  const [first] = open;
  const next = first ? ["", `next: npx callweave calls to-scenario ${first.representative.id}`] : [];
  return `${[...lines, ...next].join("\n")}\n`;
}

function titleOf(groups: readonly CallGroup[], open: readonly CallGroup[], hasScenarios: boolean): string {
  if (groups.length === 0) return "There are no groups";
  if (open.length === 0) return "Every group has a scenario";
  return hasScenarios ? "Groups without a scenario" : "What callers wanted";
}

function lineOf({ name, calls, share, representative }: CallGroup, style: Style): readonly string[] {
  const quote = cut(oneLine(representative.text), LONGEST_QUOTE);
  return [
    `  ${String(calls).padStart(5)}  ${percent(share).padStart(5)}  ${paint(style, "bold", oneLine(name))}`,
    paint(style, "dim", `          "${quote}" (${representative.id})`),
  ];
}

function restOf(groups: readonly CallGroup[]): string {
  const calls = groups.reduce((sum, group) => sum + group.calls, 0);
  return `  and ${groups.length} more groups with ${calls} calls; --top shows more`;
}

function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? "< 1 %" : `${Math.round(value)} %`;
}
