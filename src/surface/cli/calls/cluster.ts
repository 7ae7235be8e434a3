import { defined, styleFor } from "../../../base/values/mod.ts";
import { parseScenarios, type Scenario } from "../../../document/scenario/mod.ts";
import { CALL_SETTINGS, KIND } from "../../../document/settings/mod.ts";
import { exportedScenarios, loadScenarios, loadSource } from "../../project/mod.ts";
import { type Arguments, type Command, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { openRuns } from "../runs/mod.ts";
import { formatClusters } from "./format_clusters.ts";

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
