import * as v from "valibot";
import { Call, CallQuery, Calls, CallsQuery, Label, Search, SearchQuery } from "./calls.ts";
import { Chat, ChatEvent, ChatGoto, ChatMessage, ChatSet, NewChat, Why } from "./chats.ts";
import { Applied, Apply, Audit, AuditQuery, Deployments, Drift, Plan, Rollback, RollbackQuery } from "./deployments.ts";
import { StudioEvent } from "./events.ts";
import { CallScenario, Examples, ExamplesQuery, NewScenario, ProposedScenario, ScenarioQuery } from "./examples.ts";
import { Agreement, Labels, LabelsQuery, NewLabel, Queue, QueueQuery } from "./labels.ts";
import { Document, Done } from "./parts.ts";
import { AgentPolicies } from "./policies.ts";
import {
  Agent,
  AgentDiff,
  AgentDiffQuery,
  AgentQuery,
  AgentVersions,
  AgentVersionsQuery,
  Project,
  Session,
  SignIn,
} from "./project.ts";
import { Accepted, NewProposal, Proposals, Proposed } from "./proposals.ts";
import type { StudioRouteName } from "./routes.ts";
import { CompareQuery, Comparison, NewRun, Run, Runs, RunsQuery, StartedRun, Trend, TrendQuery } from "./runs.ts";
import { NewTrial, Trial } from "./trials.ts";

/** What a route takes besides the parameters of its path, and what it answers. */
export interface RouteSchemas {
  readonly query: v.GenericSchema;
  readonly body: v.GenericSchema;
  /** With `events`, each event. With `file`, nothing. */
  readonly answer: v.GenericSchema;
}

const Nothing = v.object({});

/** The schemas of every route. */
export const SCHEMAS = {
  session: { query: Nothing, body: Nothing, answer: Session },
  signIn: { query: Nothing, body: SignIn, answer: Session },
  signOut: { query: Nothing, body: Nothing, answer: Done },
  project: { query: Nothing, body: Nothing, answer: Project },
  agent: { query: AgentQuery, body: Nothing, answer: Agent },
  agentDiff: { query: AgentDiffQuery, body: Nothing, answer: AgentDiff },
  agentVersions: { query: AgentVersionsQuery, body: Nothing, answer: AgentVersions },
  agentPolicies: { query: Nothing, body: Nothing, answer: AgentPolicies },
  runs: { query: RunsQuery, body: Nothing, answer: Runs },
  startRun: { query: Nothing, body: NewRun, answer: StartedRun },
  run: { query: Nothing, body: Nothing, answer: Run },
  stopRun: { query: Nothing, body: Nothing, answer: StartedRun },
  resumeRun: { query: Nothing, body: Nothing, answer: StartedRun },
  compareRuns: { query: CompareQuery, body: Nothing, answer: Comparison },
  trend: { query: TrendQuery, body: Nothing, answer: Trend },
  calls: { query: CallsQuery, body: Nothing, answer: Calls },
  call: { query: CallQuery, body: Nothing, answer: Call },
  callScenario: { query: ScenarioQuery, body: Nothing, answer: CallScenario },
  proposeScenario: { query: Nothing, body: NewScenario, answer: ProposedScenario },
  recording: { query: Nothing, body: Nothing, answer: Nothing },
  search: { query: SearchQuery, body: Nothing, answer: Search },
  labels: { query: LabelsQuery, body: Nothing, answer: Labels },
  saveLabel: { query: Nothing, body: NewLabel, answer: Label },
  deleteLabel: { query: Nothing, body: Nothing, answer: Done },
  examples: { query: ExamplesQuery, body: Nothing, answer: Examples },
  agreement: { query: Nothing, body: Nothing, answer: Agreement },
  queue: { query: QueueQuery, body: Nothing, answer: Queue },
  createChat: { query: Nothing, body: NewChat, answer: Chat },
  chat: { query: Nothing, body: Nothing, answer: Chat },
  say: { query: Nothing, body: ChatMessage, answer: ChatEvent },
  undoChat: { query: Nothing, body: Nothing, answer: Chat },
  setInChat: { query: Nothing, body: ChatSet, answer: Chat },
  gotoInChat: { query: Nothing, body: ChatGoto, answer: Chat },
  whyInChat: { query: Nothing, body: Nothing, answer: Why },
  endChat: { query: Nothing, body: Nothing, answer: Done },
  startTrial: { query: Nothing, body: NewTrial, answer: Trial },
  trial: { query: Nothing, body: Nothing, answer: Trial },
  endTrial: { query: Nothing, body: Nothing, answer: Done },
  proposals: { query: Nothing, body: Nothing, answer: Proposals },
  propose: { query: Nothing, body: NewProposal, answer: Proposed },
  acceptProposal: { query: Nothing, body: Nothing, answer: Accepted },
  rejectProposal: { query: Nothing, body: Nothing, answer: Done },
  deployments: { query: Nothing, body: Nothing, answer: Deployments },
  planDeployment: { query: Nothing, body: Nothing, answer: Plan },
  applyDeployment: { query: Nothing, body: Apply, answer: Applied },
  drift: { query: Nothing, body: Nothing, answer: Drift },
  planRollback: { query: RollbackQuery, body: Nothing, answer: Plan },
  rollback: { query: Nothing, body: Rollback, answer: Applied },
  exportRun: { query: Nothing, body: Nothing, answer: Nothing },
  exportCall: { query: Nothing, body: Nothing, answer: Nothing },
  exportComparison: { query: CompareQuery, body: Nothing, answer: Nothing },
  exportExamples: { query: v.omit(ExamplesQuery, ["cursor", "limit"]), body: Nothing, answer: Nothing },
  events: { query: Nothing, body: Nothing, answer: StudioEvent },
  audit: { query: AuditQuery, body: Nothing, answer: Audit },
  openapi: { query: Nothing, body: Nothing, answer: Document },
} as const satisfies { readonly [Name in StudioRouteName]: RouteSchemas };

/** The schemas of every route, as types. */
export type StudioSchemas = typeof SCHEMAS;

/** The query of a route after it was read: defaults are filled in. */
export type Query<Name extends StudioRouteName> = v.InferOutput<StudioSchemas[Name]["query"]>;
