import { connectTo, parseReference, referenceForms } from "../../../../platforms/connections/mod.ts";
import { ScenarioError } from "../../../base/errors.ts";
import { defined, didYouMean, type JsonObject, quotedList } from "../../../base/values/mod.ts";
import type { AgentConnection } from "../../../call/connection/mod.ts";
import { type DeployedAgent, listDeployed } from "../../../deploy/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import type { Scenario } from "../../../document/scenario/mod.ts";
import { graphOf, isConnection, lookUpAgent, standInGraph } from "../../../run/runner/mod.ts";
import { isModulePath, loadModule, loadPolicies, loadSource, type Project, readProject } from "../../project/mod.ts";
import { type Arguments, type ExitCode, type Flag, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { executeRun, type LiveAgent } from "./execute_run.ts";
import { loadCalls } from "./load_run.ts";
import { readChoice } from "./read_settings.ts";
import { refuseVoice, voiceOf, withoutVoice } from "./voice_flags.ts";

/** Flags for an agent where it runs, in place of a graph. */
export const LIVE_FLAGS = {
  agent: {
    value: "AGENT",
    description: "The deployed agent in place of SOURCE: platform:ID@VERSION, an environment, or a module's connection",
  },
  graph: { value: "FILE", description: "Graph of that agent, for names, coverage and pictures (default: its own)" },
  flow: { value: "NAME", description: "The flow of an environment, if several are deployed there" },
  unchecked: {
    value: "refuse|report",
    description: "Expectations that the deployed agent cannot show: refuse (default) or report them as not checked",
  },
  "allow-real-tools": { description: "Let tools of the deployed agent run that no mock answers" },
  "base-url": { value: "URL", description: "URL of the platform's API, such as a proxy's" },
} satisfies { readonly [name: string]: Flag };

/** The agent that a command line names, and the scenarios for it. */
export interface OpenedLive {
  readonly live: LiveAgent;
  /** Graph of SOURCE, if there is one. */
  readonly source: AgentGraph | undefined;
  /** What the modules of SOURCE or `--graph` export. */
  readonly exports: JsonObject;
  readonly scenarios: readonly Scenario[];
  /** The first file of a graph. */
  readonly path: string | undefined;
}

/**
 * Looks up the agent that `--agent` names, and loads the scenarios for it.
 *
 * @throws {UsageError} `usage` for a name that nothing has, and if there are no scenarios.
 * @throws {ScenarioError | ConnectionError} When the agent cannot be connected to or looked up.
 */
export async function openLive(args: Arguments, terminal: Terminal): Promise<OpenedLive> {
  const opened = await openDeployed(args, terminal, (exports) => loadCalls(exports, args, terminal));
  const { connection, graph, source, exports, loaded: scenarios, path } = opened;
  return {
    live: {
      connection,
      graph,
      unchecked: readChoice(args, "unchecked", ["refuse", "report"]) ?? "refuse",
      allowRealTools: args.has("allow-real-tools"),
    },
    source,
    exports,
    scenarios,
    path,
  };
}

/**
 * Looks up the agent that `--agent` names, with its graph.
 *
 * @param load Loads what belongs to the modules of SOURCE or `--graph`, before the agent is looked up.
 */
export async function openDeployed<Loaded>(
  args: Arguments,
  terminal: Terminal,
  load: (exports: JsonObject) => Promise<Loaded>,
) {
  const named = await connectionNamed(args.text("agent") ?? "", args, terminal);
  const place = args.at("SOURCE");
  const [graphFile, options] = [args.text("graph"), { exportName: args.text("export"), format: args.text("from") }];
  const source = place === "" ? undefined : await loadSource(place, terminal, options);
  const beside = graphFile === undefined ? undefined : await loadSource(graphFile, terminal, {});
  const exports = source?.exports ?? beside?.exports ?? {};
  const loaded = await load(exports);
  const connection = await lookUp(named, terminal);
  const graph = beside?.graph ?? (await graphOf(connection)) ?? source?.graph;
  const path = [place, graphFile].find((each) => each !== undefined && each !== "");
  return { connection, graph, source: beside?.graph ?? source?.graph, exports, loaded, path };
}

/** Runs scenarios against the agent that `--agent` names; throws what {@link openLive} throws. */
export async function runLive(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  if (args.has("watch")) throw usage("--watch is for files, and --agent names none", "Leave one of them out");
  const { live, exports, scenarios, path } = await openLive(args, terminal);
  const policies = await loadPolicies(exports, args.texts("policies"), terminal);
  const { connection, graph } = live;
  const agent = { graph: graph ?? standInGraph(connection), name: connection.name, policies, live };
  return await executeRun({ ...agent, ...defined({ path }) }, scenarios, withoutVoice(args), terminal);
}

/** Refuses flags of {@link runLive} in a run of a graph. */
export function refuseLiveFlags(args: Arguments): void {
  const flag = Object.keys(LIVE_FLAGS).find((name) => args.has(name) || args.text(name) !== undefined);
  if (flag !== undefined) throw usage(`--${flag} is for deployed agents`, "Pass --agent, too");
}

/** Looks the agent up, and says which version it is. */
async function lookUp(named: AgentConnection, { signal, err }: Terminal): Promise<AgentConnection> {
  const connection = await lookUpAgent(named, signal);
  const version = connection.version === undefined ? "" : `, version ${connection.version}`;
  err(`calling ${connection.name}${version}\n`);
  return connection;
}

/** The connection of a name that `--agent` takes. */
export async function connectionNamed(name: string, args: Arguments, terminal: Terminal): Promise<AgentConnection> {
  const named = await plainConnection(name, { baseUrl: args.text("base-url"), args }, terminal);
  if (named) return named;
  const project = await readProject(".", terminal);
  const settings = Object.hasOwn(project.environments, name) ? project.environments[name] : undefined;
  const baseUrl = args.text("base-url") ?? settings?.baseUrl;
  if (settings?.agent !== undefined) {
    const configured = await plainConnection(settings.agent, { baseUrl, key: settings.key, args }, terminal);
    if (configured) return configured;
    throw usage(`the agent of environment ${name} is "${settings.agent}"`, `Write ${formsOf()}`);
  }
  const deployed = await deployedIn(name, args.text("flow"), project);
  return connectTo(deployed.platform, {
    id: idOf(deployed),
    env: terminal.env,
    ...defined({ version: deployed.agentVersion, baseUrl, keyVariable: settings?.key }),
    ...defined({ voice: voiceOf(deployed.platform, args, terminal) }),
  });
}

/** The connection of a reference or a module; `undefined` for another text. */
async function plainConnection(
  text: string,
  {
    baseUrl,
    key,
    args,
  }: { readonly baseUrl: string | undefined; readonly key?: string | undefined; readonly args: Arguments },
  { env }: Terminal,
): Promise<AgentConnection | undefined> {
  if (isModulePath(text)) {
    refuseVoice(args, text);
    return connectionIn(await loadModule(text, env), text);
  }
  const reference = parseReference(text);
  if (!reference) return undefined;
  const { platform, ...agent } = reference;
  const voice = voiceOf(platform, args, { env });
  return connectTo(platform, { ...agent, env, ...defined({ baseUrl, keyVariable: key, voice }) });
}

function connectionIn(exports: JsonObject, path: string): AgentConnection {
  const found = Object.entries(exports).filter((entry): entry is [string, AgentConnection] => isConnection(entry[1]));
  const [first, second] = found;
  if (first && !second) return first[1];
  const names = quotedList(found.map(([name]) => name));
  throw new ScenarioError(
    first ? `Cannot use "${path}" as the agent: it exports several: ${names}` : `"${path}" exports no connection`,
    { code: "no-export", hint: "Export one connection, such as connect.http({ … })" },
  );
}

/** The agent that was deployed to an environment. */
async function deployedIn(name: string, flow: string | undefined, { folder, environments }: Project) {
  const all = await listDeployed(folder);
  const here = all.filter(({ environment }) => environment === name);
  const found = here.filter((agent) => flow === undefined || agent.flow === flow);
  const [first, second] = found;
  if (first && !second) return first;
  if (first) {
    const names = found.map((agent) => `${agent.flow} (${agent.platform})`);
    throw usage(`several agents are deployed to ${name}: ${names.join(", ")}`, "Choose one with --flow");
  }
  if (here.length > 0) {
    const flows = here.map((agent) => agent.flow);
    throw usage(
      `"${flow}" is not deployed to ${name}`,
      didYouMean(flow ?? "", flows, `Use one of ${quotedList(flows)}`),
    );
  }
  const known = [...new Set([...Object.keys(environments), ...all.map(({ environment }) => environment)])];
  if (known.includes(name))
    throw usage(`nothing is deployed to ${name}`, `Deploy it: callweave deploy apply --env ${name}`);
  throw usage(`there is no agent "${name}"`, didYouMean(name, known, `Write an environment, or ${formsOf()}`));
}

function idOf({ agentId, environment }: DeployedAgent): string {
  if (agentId !== undefined) return agentId;
  throw usage(
    `nothing answers the calls of ${environment} yet`,
    `Finish it: callweave deploy apply --env ${environment}`,
  );
}

function formsOf(): string {
  return `${referenceForms().join(", ")}, or a module that exports a connection`;
}
