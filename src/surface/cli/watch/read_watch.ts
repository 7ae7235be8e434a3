import { PLATFORMS, platformOf as platformOfFormat } from "../../../../platforms/mod.ts";
import { PlatformError } from "../../../base/errors.ts";
import { defined } from "../../../base/values/mod.ts";
import { type DeployedAgent, listDeployed } from "../../../deploy/mod.ts";
import { parseScenarios, type Scenario } from "../../../document/scenario/mod.ts";
import { createPseudonymizer, type PullPlatform } from "../../../run/calls/mod.ts";
import type { WatchCallsOptions } from "../../../run/watch/mod.ts";
import {
  type AgentSource,
  type ConfiguredEnvironment,
  chooseModels,
  environmentNamed,
  exportedScenarios,
  loadPolicies,
  loadScenarios,
  loadSource,
  readProject,
} from "../../project/mod.ts";
import { type Arguments, usage } from "../arguments.ts";
import { addressOf, ageIn, platformOf, pseudonymsOf, STATE, stateFile } from "../calls/mod.ts";
import type { DeployTerminal } from "../deploy/mod.ts";

/** Where a report is posted. */
export interface Webhook {
  readonly url: string;
  readonly key?: string;
  /** File that records what was posted, so that it is not posted again; absent for a database in memory. */
  readonly state?: string;
}

/** What a watch does in each round, and how often. */
export interface WatchPlan {
  readonly from: PullPlatform;
  /** Options of each round, without its store and signal. */
  readonly options: Omit<WatchCallsOptions, "store" | "signal">;
  readonly db: string | undefined;
  /** Pause between rounds in milliseconds; absent: one round. */
  readonly everyMs?: number;
  readonly webhook?: Webhook;
  readonly json: boolean;
  /** Flags of `calls to-scenario` for a call of this watch. */
  readonly scenarioFlags: string;
}

/** A pause that is shorter would ask the platform again before there is anything new. */
const SHORTEST_PAUSE_MS = 60_000;
const POSTED = "watch.json";

/** Reads everything that a watch needs, before its first round. */
export async function readWatch(args: Arguments, terminal: DeployTerminal): Promise<WatchPlan> {
  const everyMs = timeIn(args, "every");
  if (everyMs !== undefined && everyMs < SHORTEST_PAUSE_MS)
    throw usage(`--every is "${args.text("every")}"`, "Write at least 1m");
  const path = args.at("SOURCE");
  const source = path === "" ? undefined : await sourceOf(path, args, terminal);
  const place = await placeOf(args, source, terminal);
  const webhook = webhookOf(args, terminal);
  const graph = source?.graph;
  const [threshold, concurrency] = [args.number("threshold"), args.number("concurrency")];
  const db = args.text("db");
  const redact = await createPseudonymizer(await pseudonymsOf(args, terminal));
  const { from, key, agentId, answeredBy, baseUrl, environment } = place;
  return {
    from,
    db,
    json: args.has("json"),
    scenarioFlags: scenarioFlags(path, args),
    ...(everyMs === undefined ? {} : { everyMs }),
    ...(webhook === undefined ? {} : { webhook }),
    options: {
      key,
      redact,
      scenarios: await scenariosOf(args, source, terminal),
      judging: {
        metrics: args.texts("metric"),
        policies: await loadPolicies(source?.exports ?? {}, args.texts("policies"), terminal),
        ...defined({ threshold }),
      },
      models: chooseModels(
        { model: args.text("model"), judgeModel: args.text("judge-model") },
        terminal.env,
        graph?.default_model,
      ),
      ...(concurrency === undefined ? {} : { limits: { concurrency } }),
      ...defined({ agent: graph, agentName: source?.name, agentId, answeredBy, baseUrl, environment }),
      ...defined({ windowMs: timeIn(args, "window"), baselineMs: timeIn(args, "baseline") }),
      ...defined({ minimum: args.number("minimum"), level: args.number("level"), limit: args.number("limit") }),
      ...defined({ answersWithinMs: args.number("answers-within"), state: stateFile(db, STATE) }),
    },
  };
}

async function sourceOf(path: string, args: Arguments, terminal: DeployTerminal): Promise<AgentSource> {
  return await loadSource(path, terminal, { exportName: args.text("export"), format: args.text("source-from") });
}

async function scenariosOf(
  args: Arguments,
  source: AgentSource | undefined,
  terminal: DeployTerminal,
): Promise<readonly Scenario[]> {
  const files = [...args.texts("scenarios"), ...args.texts("tests")];
  if (files.length === 0) return parseScenarios(exportedScenarios(source?.exports ?? {}));
  return (await Promise.all(files.map((file) => loadScenarios(file, terminal)))).flat();
}

/** Where the calls are, and whose they are. */
interface WatchedPlace {
  readonly from: PullPlatform;
  readonly key: string;
  readonly agentId: string | undefined;
  readonly answeredBy: string | undefined;
  readonly baseUrl: string | undefined;
  readonly environment: string | undefined;
}

async function placeOf(
  args: Arguments,
  source: AgentSource | undefined,
  terminal: DeployTerminal,
): Promise<WatchedPlace> {
  const name = args.text("env");
  const project = await readProject(".", terminal);
  const settings: ConfiguredEnvironment = name === undefined ? {} : environmentNamed(project, name).settings;
  const own = settings.to === undefined ? undefined : platformOfFormat(settings.to)?.name;
  const from = platformOf(args.text("from") ?? own);
  if (own !== undefined && own !== from)
    throw usage(`--from is "${from}", but the environment "${name}" is at ${own}`, `Write --from ${own}`);
  const baseUrl = args.text("base-url") ?? settings.baseUrl;
  const place = {
    from,
    key: keyOf(from, settings, terminal),
    baseUrl: baseUrl === undefined ? undefined : addressOf(baseUrl),
    environment: name,
  };
  const given = args.text("agent-id");
  if (given !== undefined || name === undefined) return { ...place, agentId: given, answeredBy: given };
  const deployed = deployedAgent(await listDeployed(project.folder), {
    environment: name,
    platform: from,
    flow: args.text("flow") ?? source?.name,
  });
  if (deployed === undefined)
    terminal.err(
      `note: the lock file has no agent of "${name}" at ${from}: calls of all agents are watched; --agent-id selects one\n`,
    );
  const agentId = deployed?.ids.agent ?? deployed?.ids.assistant;
  // platforms list calls by agents, not by what joins several
  return { ...place, agentId, answeredBy: deployed?.ids.squad ?? agentId };
}

/** The agent of a place; the only one there, if none is named. */
function deployedAgent(
  agents: readonly DeployedAgent[],
  {
    environment,
    platform,
    flow,
  }: { readonly environment: string; readonly platform: string; readonly flow?: string | undefined },
): DeployedAgent | undefined {
  const there = agents.filter((each) => each.environment === environment && each.platform === platform);
  const named = there.find((each) => each.flow === flow);
  if (named || there.length < 2) return named ?? (flow === undefined ? there[0] : undefined);
  const names = there.map((each) => each.flow);
  throw usage(`"${environment}" has several agents at ${platform}`, `Write --flow ${names.join("|")}`);
}

function keyOf(from: PullPlatform, { key }: ConfiguredEnvironment, { env, hide }: DeployTerminal): string {
  const variable = key ?? PLATFORMS[from].connection.keyVariable;
  const value = env[variable]?.trim();
  if (value) {
    hide(value);
    return value;
  }
  throw new PlatformError(`Cannot watch calls: ${variable} is not set`, {
    code: "platform-key",
    hint: `Set ${variable} to an API key of the workspace that holds the calls`,
  });
}

function webhookOf(args: Arguments, { env, hide }: DeployTerminal): Webhook | undefined {
  const [url, variable] = [args.text("webhook"), args.text("webhook-key-variable")];
  if (url === undefined) {
    if (variable !== undefined) throw usage("--webhook-key-variable has no --webhook", "Pass --webhook URL");
    return undefined;
  }
  // the address may be a secret itself: no message quotes it
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usage(
      "--webhook is not the address of a server",
      "Write a URL, such as --webhook https://alerts.example.com",
    );
  const state = stateFile(args.text("db"), POSTED);
  const key = variable === undefined ? undefined : env[variable]?.trim();
  if (variable !== undefined && !key)
    throw usage(`the environment variable ${variable} of --webhook-key-variable is not set`, "Set it to the key");
  if (key) hide(key);
  return { url, ...defined({ key: key || undefined, state }) };
}

function timeIn(args: Arguments, flag: string): number | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const ms = ageIn(text);
  if (ms !== undefined && ms > 0) return ms;
  throw usage(`--${flag} is "${text}"`, "Write a time such as 10m, 12h, 1d or 4w");
}

/** Flags that a command for a call of this watch needs. A server's address may hold a key: it stays in the environment. */
function scenarioFlags(source: string, args: Arguments): string {
  const db = args.text("db");
  const isFile = db !== undefined && (!/^\w+:\/\//.test(db) || db.startsWith("file:"));
  const flags = [
    ...(source === "" ? [] : ["--agent", source]),
    ...(args.text("export") === undefined ? [] : ["--export", args.text("export") ?? ""]),
    ...(args.text("source-from") === undefined ? [] : ["--from", args.text("source-from") ?? ""]),
    ...(isFile ? ["--db", db] : []),
  ];
  return flags.map((word) => (/^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}
