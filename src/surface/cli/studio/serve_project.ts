import { once } from "node:events";
import process from "node:process";
import { UsageError } from "../../../base/errors.ts";
import { formatError } from "../../../base/values/mod.ts";
import { toolImplementations } from "../../../document/graph/mod.ts";
import { parseScenarios } from "../../../document/scenario/mod.ts";
import { graphOf, lookUpAgent } from "../../../run/runner/mod.ts";
import { prepareChat } from "../../chat/mod.ts";
import {
  exportedScenarios,
  loadScenarios,
  loadSource,
  type Project,
  readProject,
  runOptionsFrom,
} from "../../project/mod.ts";
import {
  type AgentQuestion,
  type Connections,
  type Environments,
  openStudioData,
  type PageTexts,
  type PrepareChat,
  pageFiles,
  startServer,
} from "../../studio/mod.ts";
import { type Arguments, type ExitCode, usage } from "../arguments.ts";
import { readDeployTarget } from "../deploy/mod.ts";
import { VERSION } from "../help.ts";
import type { Terminal } from "../io/mod.ts";
import { connectionNamed } from "../run/mod.ts";
import { selectScenarios } from "../sources.ts";
import { runStarter } from "./start_run.ts";
import { trialHolder } from "./start_trial.ts";

/** Serves a project until Ctrl-C or SIGTERM. `onStart` is called with the address. */
export async function serveProject(
  args: Arguments,
  terminal: Terminal,
  options: { readonly page: PageTexts | undefined; readonly onStart: (address: string) => void },
): Promise<ExitCode> {
  const { env, signal } = terminal;
  const project = await readProject(".", terminal);
  const question = questionOf(args, project);
  const url = args.text("db");
  const token = env.CALLWEAVE_DB_URL === url ? env.CALLWEAVE_DB_TOKEN : undefined;
  await using data = await openStudioData(url, { signal, ...(token ? { authToken: token } : {}) });
  const server = await startServer(data, {
    host: args.text("host"),
    port: args.number("port") ?? 0,
    access: { localName: env.USER || env.USERNAME || "local", origin: originOf(args.text("origin")) },
    page: options.page && pageFiles(options.page),
    question,
    environments: environmentsOf(project, terminal),
    connections: connectionsOf(args.texts("agent"), { project, question, terminal }),
    prepareChat: chatPreparer(question, args.text("model"), terminal),
    startRun: question && runStarter(question, { db: url, model: args.text("model") }),
    holdTrial: question && trialHolder(question, args.text("model")),
    folder: ".",
    version: VERSION,
    onError: (error) => terminal.err(formatError(error)),
  });
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  try {
    options.onStart(server.address);
    const over = AbortSignal.any([signal, stop.signal]);
    if (!over.aborted) await once(over, "abort");
  } finally {
    await server.close();
  }
  return 0;
}

function questionOf(args: Arguments, project: Project): AgentQuestion | undefined {
  const given = args.at("SOURCE");
  if (given === "-") throw usage("standard input cannot be watched", "Name a file");
  const isOwn = given === "" || given === project.source;
  const path = given || project.source;
  if (path === undefined) return undefined;
  const [files, policies] = [args.texts("scenarios"), args.texts("policies")];
  return {
    path,
    exportName: args.text("export") ?? (isOwn ? project.exportName : undefined),
    format: args.text("from") ?? (isOwn ? project.from : undefined),
    scenarioFiles: files.length > 0 || !isOwn ? files : project.scenarioFiles,
    policyFiles: policies.length > 0 || !isOwn ? policies : project.policyFiles,
  };
}

function originOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/") return url.origin;
  throw usage(`--origin is "${text}"`, "Write an address without a path: https://studio.example.com");
}

/** The environments of the configuration. Keys are read when they are needed. */
function environmentsOf(project: Project, terminal: Terminal): Environments {
  return {
    names: Object.keys(project.environments),
    formatOf: (name) => project.environments[name]?.to ?? null,
    targetOf: (name, signal) => readDeployTarget(NO_ARGUMENTS, project, { ...terminal, signal, hide: () => {} }, name),
  };
}

const NO_ARGUMENTS: Arguments = {
  at: () => "",
  rest: () => [],
  text: () => undefined,
  texts: () => [],
  number: () => undefined,
  has: () => false,
};

/** Deployed agents to talk with: nobody who uses the server can name others, such as an address in its network. */
function connectionsOf(
  given: readonly string[],
  {
    project,
    question,
    terminal,
  }: { readonly project: Project; readonly question: AgentQuestion | undefined; readonly terminal: Terminal },
): Connections {
  const names = [...new Set([...Object.keys(project.environments), ...given])];
  return {
    names,
    connect: async ({ name, scenario, variables }, signal) => {
      if (!names.includes(name)) return undefined;
      const quiet = { ...terminal, signal, err: () => {} };
      const connection = await lookUpAgent(await connectionNamed(name, NO_ARGUMENTS, quiet), signal);
      const graph = await graphOf(connection);
      const { variables: all, mocks } = await chatStart(question, { scenario, variables }, terminal);
      return { connection, graph, variables: all, mocks };
    },
  };
}

/** Variables and mocks of a chat, from a scenario and what was given besides. */
async function chatStart(
  question: AgentQuestion | undefined,
  { scenario, variables }: Pick<Parameters<PrepareChat>[0], "scenario" | "variables">,
  terminal: Terminal,
) {
  if (!question || scenario === undefined) return { variables, mocks: [] };
  const { path, exportName, format, scenarioFiles } = question;
  const files = await Promise.all(scenarioFiles.map((file) => loadScenarios(file, terminal)));
  const exported = async () =>
    parseScenarios(exportedScenarios((await loadSource(path, terminal, { exportName, format })).exports));
  const all = scenarioFiles.length > 0 ? files.flat() : await exported();
  const [chosen] = selectScenarios(all, { names: [scenario], tags: [] });
  return { variables: { ...chosen?.dynamic_variables, ...variables }, mocks: chosen?.tool_mocks ?? [] };
}

/** Prepares chats. The functions of tools are those of the first chat: a module is loaded once in a process. */
function chatPreparer(question: AgentQuestion | undefined, model: string | undefined, terminal: Terminal): PrepareChat {
  return async ({ graph, name, scenario, variables }, signal) => {
    if (!question)
      throw new UsageError("Cannot start a chat: the project has no agent", { code: "usage", hint: "Name SOURCE" });
    const { path, exportName, format } = question;
    const source = await loadSource(path, terminal, { exportName, format });
    const start = await chatStart(question, { scenario, variables }, terminal);
    const agent = { name, model: graph.default_model };
    const settings = await runOptionsFrom(model === undefined ? {} : { model }, { env: terminal.env, agent, signal });
    const prepared = await prepareChat({ graph, name }, settings, start, signal);
    return { ...prepared, options: { ...prepared.options, tools: toolImplementations(source.graph) } };
  };
}
