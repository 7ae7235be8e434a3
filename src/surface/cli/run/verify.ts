import { defined } from "../../../base/values/mod.ts";
import type { RunOptions } from "../../../run/runner/mod.ts";
import { type VerifyOptions, verify } from "../../../run/verify/mod.ts";
import { styleFor } from "../../reporters/mod.ts";
import { type Arguments, type ArgumentsSpec, type Command, EXAMPLE, type ExitCode, usage } from "../arguments.ts";
import { formatVerification } from "../format/mod.ts";
import type { Terminal } from "../io/mod.ts";
import { CALL_FLAGS } from "./compare_turns.ts";
import { LIVE_FLAGS, openLive } from "./live_agent.ts";
import { chooseScenarios, GRAPH_FLAGS, SOURCE_FLAGS } from "./load_run.ts";
import { readRunOptions } from "./read_settings.ts";
import { VOICE_FLAGS, withoutVoice } from "./voice_flags.ts";

const SPEC: ArgumentsSpec = {
  positionals: [
    {
      name: "SOURCE",
      description: "The agent's graph (default: the one that its platform has), and scenarios if it exports some",
      optional: true,
    },
  ],
  flags: {
    ...SOURCE_FLAGS,
    ...CALL_FLAGS,
    ...GRAPH_FLAGS,
    ...LIVE_FLAGS,
    ...VOICE_FLAGS,
    db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
    json: { description: "Print the report as JSON" },
  },
};

/** `callweave verify`. */
export const verifyCommand: Command = {
  name: "verify",
  summary: "Say the same words to a deployed agent and to its graph, and show where they differ",
  spec: SPEC,
  notes: [
    "The deployed agent is called first. Then its callers' words are said to the graph, whose tools give the same results.",
    "--model plays the graph, the callers and the judge; the deployed agent has its own.",
    "Exit codes: 0 alike; 1 they differ; 2 wrong usage or input; 3 calls could not be compared.",
  ],
  examples: [
    `callweave verify flow.ts --agent ${EXAMPLE.calls}:AGENT_ID@7 --scenarios scenarios.ts`,
    "callweave verify flow.ts --agent production --scenarios scenarios.ts --repeat 10",
  ],
  run: async (args, terminal) => await runVerify(args, terminal),
};

async function runVerify(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  if (args.text("agent") === undefined)
    throw usage("--agent is missing", `Name a deployed agent: --agent ${EXAMPLE.calls}:AGENT_ID, or an environment`);
  const { live, source, scenarios } = await openLive(args, terminal);
  const { connection, unchecked, allowRealTools } = live;
  const graph = source ?? live.graph;
  if (!graph) throw usage(`the graph of "${connection.name}" is not known`, "Name it: flow.ts, or --graph flow.ts");
  const selected = chooseScenarios(graph, scenarios, args, terminal);
  const options = verifyOptions(await readRunOptions({ graph, name: connection.name }, withoutVoice(args), terminal));
  const db = args.text("db");
  const report = await verify(connection, selected, {
    ...options,
    graph,
    unchecked,
    allowRealTools,
    ...defined({ store: db, signal: terminal.signal }),
  });
  const text = () => formatVerification(report, styleFor(terminal.stdout, terminal.env));
  terminal.out(args.has("json") ? `${JSON.stringify(report, null, 2)}\n` : text());
  if (report.calls.some(({ differences }) => differences.length > 0)) return 1;
  return report.same ? 0 : 3;
}

/** The options of a run that a comparison takes. */
function verifyOptions({ models, limits, requests, repeat, judging, clock }: RunOptions): VerifyOptions {
  return defined({ models, limits, requests, repeat, judging, clock });
}
