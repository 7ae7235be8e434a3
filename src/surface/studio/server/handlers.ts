import type { InferOutput } from "valibot";
import { StudioError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { createIdSource } from "../../../run/store/mod.ts";
import {
  openApi,
  type Query,
  type ROUTES,
  type StudioAnswer,
  type StudioRouteName,
  type StudioSchemas,
} from "../api/mod.ts";
import {
  countAll,
  countsKey,
  criteriaOf,
  deleteLabel,
  indexWords,
  listAudit,
  listCalls,
  listLabels,
  listRuns,
  readAgreement,
  readExamples,
  readQueue,
  readRunSummary,
  readScenarios,
  readTrend,
  saveLabel,
  searchCalls,
} from "../data/mod.ts";
import { agentAnswer, agentDiff, agentPolicies, agentVersions } from "./agent_answer.ts";
import { unknownThing } from "./answers.ts";
import { callAnswer, proposeScenarioAnswer, scenarioAnswer } from "./calls/mod.ts";
import { checkScenarios, createChatAnswer } from "./chat_answer.ts";
import { compareAnswer } from "./compare_answer.ts";
import { applyAnswer, driftAnswer, listDeployments, planAnswer, rollbackPlanAnswer } from "./deployments.ts";
import { acceptAnswer, proposalsAnswer, proposeAnswer, rejectAnswer } from "./proposals.ts";
import type { StudioRequest } from "./studio.ts";
import { startTrialAnswer } from "./trial_answer.ts";

/** Routes that answer JSON, without those of the session, which have cookies. */
export type PlainRoute = Exclude<
  { [Name in StudioRouteName]: (typeof ROUTES)[Name]["gives"] extends "json" ? Name : never }[StudioRouteName],
  "session" | "signIn" | "signOut"
>;

/** Answers a route. */
export type Handler<Name extends StudioRouteName> = (
  request: StudioRequest<Query<Name>, InferOutput<StudioSchemas[Name]["body"]>>,
) => Promise<StudioAnswer<Name>>;

/** Batches of calls that a search adds to the index before it looks. */
const INDEXED_FIRST = 2;

/** A function for each route. */
export const HANDLERS: { readonly [Name in PlainRoute]: Handler<Name> } = {
  project: async ({ studio, who }) => {
    const [agents, counts] = await Promise.all([studio.agents.list(), countAll(studio.data)]);
    return {
      name: studio.name,
      version: studio.version,
      role: who.role,
      user: who.name,
      agents: [...agents],
      counts,
      environments: [...studio.environments.names],
      connections: [...studio.connections.names],
      store: studio.data.store.url,
    };
  },
  agent: ({ studio, params, query }) => agentAnswer(studio, params.agent ?? "", query),
  agentDiff: ({ studio, params, query }) => agentDiff(studio, params.agent ?? "", query),
  agentVersions: ({ studio, params, query }) => agentVersions(studio, params.agent ?? "", query),
  agentPolicies: ({ studio, params }) => agentPolicies(studio, params.agent ?? ""),
  runs: ({ studio, query }) => listRuns(studio.data, query, studio.runs.isRunning),
  startRun: async ({ studio, body, signal, note }) => {
    const { source } = await studio.agents.find(body.agent);
    if (!source)
      throw new StudioError(`Cannot start a run: the source of "${body.agent}" is not here`, {
        code: "run-not-started",
        path: ["agent"],
        hint: "Start the studio with the agent's source",
      });
    const { scenarios = [], tags = [], repeats, concurrency } = body;
    checkScenarios(source, { names: scenarios, tags });
    const id = await studio.runs.start({ scenarios, tags, repeats, concurrency }, signal);
    note({ run: id });
    return { id };
  },
  run: async ({ studio, params }) => {
    const { data } = studio;
    const run = await data.store.findRun(params.run ?? "");
    const read = async () => {
      const counted = await data.countsOf(run);
      return { scenarios: await readScenarios(data, run, counted), criteria: criteriaOf(counted) };
    };
    const [grid, summary] = await Promise.all([
      studio.grids(countsKey(run.id, run.counts), () => studio.readGrid(run.id, read)),
      readRunSummary(data, run.id, studio.runs.isRunning),
    ]);
    if (!summary) throw new Error(`run ${run.id} was deleted a moment ago`);
    return {
      ...summary,
      options: { ...run.options },
      store: data.store.url,
      ...grid,
    };
  },
  stopRun: async ({ studio, params }) => {
    const { id } = await studio.data.store.findRun(params.run ?? "");
    studio.runs.stop(id);
    return { id };
  },
  resumeRun: async ({ studio, params, signal }) => {
    const run = await studio.data.store.findRun(params.run ?? "");
    return { id: await studio.runs.resume(run, signal) };
  },
  compareRuns: ({ studio, params, query }) => compareAnswer(studio, params.run ?? "", query.with),
  trend: ({ studio, params, query }) => readTrend(studio.data, params.scenario ?? "", query),
  calls: ({ studio, query }) => listCalls(studio.data, query),
  call: ({ studio, params, query, who }) =>
    callAnswer(studio, params.call ?? "", query.blind === "true" ? who.name : undefined),
  callScenario: (request) => scenarioAnswer(request),
  proposeScenario: (request) => proposeScenarioAnswer(request),
  search: async ({ studio, query }) => {
    await indexWords(studio.data, INDEXED_FIRST);
    return await searchCalls(studio.data, query);
  },
  labels: ({ studio, query }) => listLabels(studio.data, query),
  saveLabel: async ({ studio, body, who }) => {
    const { call, turn = null, criterion = null, verdict, what = null, words = null } = body;
    const label = { id: createIdSource()(), call, turn, criterion, verdict, what, words };
    const saved = await saveLabel(studio.data, {
      ...createRedactor().value(label),
      by: who.name,
      at: new Date().toISOString(),
    });
    if (saved) return saved;
    throw unknownThing("call", call, "List the calls: GET /api/v1/calls");
  },
  deleteLabel: async ({ studio, params, who }) => {
    const id = params.label ?? "";
    if (await deleteLabel(studio.data, id, who.role === "editor" ? null : who.name)) return { done: true };
    throw unknownThing("label", id, "List your labels: GET /api/v1/labels");
  },
  examples: ({ studio, query }) => readExamples(studio.data, query),
  agreement: ({ studio }) => readAgreement(studio.data),
  queue: async ({ studio, query, who }) => readQueue(studio.data, query, who.name, await studio.newGroups()),
  createChat: (request) => createChatAnswer(request),
  chat: async ({ studio, params, who }) => studio.chats.show(params.chat ?? "", who.name),
  undoChat: async ({ studio, params, who }) => studio.chats.undo(params.chat ?? "", who.name),
  setInChat: async ({ studio, params, body, who }) =>
    studio.chats.set(params.chat ?? "", who.name, body.name, body.value),
  gotoInChat: async ({ studio, params, body, who }) => studio.chats.goTo(params.chat ?? "", who.name, body.node),
  whyInChat: async ({ studio, params, who }) => studio.chats.why(params.chat ?? "", who.name),
  endChat: async ({ studio, params, who }) => {
    studio.chats.end(params.chat ?? "", who.name);
    return { done: true };
  },
  startTrial: ({ studio, body, who }) => startTrialAnswer(studio, body, who),
  trial: async ({ studio, params, who }) => studio.trials.show(params.trial ?? "", who.name),
  endTrial: async ({ studio, params, who }) => {
    studio.trials.end(params.trial ?? "", who.name);
    return { done: true };
  },
  proposals: ({ studio }) => proposalsAnswer(studio),
  propose: (request) => proposeAnswer(request),
  acceptProposal: ({ studio, params }) => acceptAnswer(studio, params.proposal ?? ""),
  rejectProposal: ({ studio, params }) => rejectAnswer(studio, params.proposal ?? ""),
  deployments: ({ studio, signal }) => listDeployments(studio, signal),
  planDeployment: ({ studio, params, signal }) => planAnswer(studio, params.environment ?? "", signal),
  applyDeployment: ({ studio, params, body, signal }) =>
    applyAnswer(studio, params.environment ?? "", body, { isRollback: false, signal }),
  drift: ({ studio, params, signal }) => driftAnswer(studio, params.environment ?? "", signal),
  planRollback: ({ studio, params, query, signal }) =>
    rollbackPlanAnswer(studio, params.environment ?? "", query, signal),
  rollback: ({ studio, params, body, signal }) =>
    applyAnswer(studio, params.environment ?? "", body, { isRollback: true, signal }),
  audit: ({ studio, query }) => listAudit(studio.data, query),
  openapi: async ({ studio }) => openApi(studio.version),
};
