import type { Role } from "./parts.ts";

/** A route of the API. This file has no schemas, so that a page can load it without them. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below `/api/v1`; parameters begin with a colon. */
  readonly path: string;
  /** The least role that may use it; `null`: everybody. */
  readonly role: Role | null;
  /** What it answers: JSON, server-sent events or a file. */
  readonly gives: "json" | "events" | "file";
  /** One sentence. */
  readonly summary: string;
}

/** Where the API is. */
export const API_PATH = "/api/v1";

/** Header of the session's key, which requests without a token send when they change something. */
export const KEY_HEADER = "x-callweave-key";

/** Every route, by the name of the client's function for it. */
export const ROUTES = {
  session: get("/session", null, "Who asks, and the key for requests that change something"),
  signIn: post("/session", null, "Sign in with a token; sets a cookie"),
  signOut: { ...post("/session", null, "Sign out"), method: "DELETE" },
  project: get("/project", "viewer", "The project: its agents, counts and environments"),
  agent: get("/agents/:agent", "viewer", "An agent: graph, picture, findings, and what calls showed of each node"),
  agentDiff: get("/agents/:agent/diff", "viewer", "What changed between two versions of an agent, in words"),
  agentVersions: get("/agents/:agent/versions", "viewer", "Versions of an agent that runs have called, newest first"),
  agentPolicies: get(
    "/agents/:agent/policies",
    "viewer",
    "The policies of an agent: which hold on every path, and a shortest call that breaks each of the others",
  ),
  runs: get("/runs", "viewer", "Runs, newest first"),
  startRun: post("/runs", "editor", "Start a run"),
  run: get("/runs/:run", "viewer", "A run: its scenarios and their trials"),
  stopRun: post("/runs/:run/stop", "editor", "Stop a run that this server has started"),
  resumeRun: post("/runs/:run/resume", "editor", "Resume a run that is not finished"),
  compareRuns: get("/runs/:run/compare", "viewer", "Compare a run with an earlier one"),
  trend: get("/scenarios/:scenario/trend", "viewer", "A scenario over runs, newest first"),
  calls: get("/calls", "viewer", "Calls, newest first"),
  call: get("/calls/:call", "viewer", "A call with its transcript"),
  callScenario: get("/calls/:call/scenario", "viewer", "A scenario written from a call, as code and as JSON"),
  proposeScenario: post(
    "/calls/:call/scenario",
    "editor",
    "Write a scenario from a call as a new file of the project, as a patch that waits for a decision",
  ),
  recording: file("/calls/:call/recording", "viewer", "The recording of a call, as WAV"),
  search: get("/search", "viewer", "Calls in which words were said"),
  labels: get("/labels", "viewer", "Labels, newest first"),
  saveLabel: post("/labels", "labeller", "Label a call or a turn"),
  deleteLabel: { ...post("/labels/:label", "labeller", "Delete a label of one's own"), method: "DELETE" },
  examples: get("/labels/examples", "viewer", "Labels as calls with known verdicts, as examples for a judge"),
  agreement: get("/labels/agreement", "viewer", "How far people agree with each other and with the judge"),
  queue: get("/queue", "viewer", "Calls that are worth a look, and why"),
  createChat: post("/chats", "editor", "Start a chat with an agent, or with a scratch copy of it"),
  chat: get("/chats/:chat", "editor", "A chat between two turns"),
  say: {
    ...post("/chats/:chat/messages", "editor", "Say something; streams the reply"),
    gives: "events",
  },
  undoChat: post("/chats/:chat/undo", "editor", "Undo the last turn or step"),
  setInChat: post("/chats/:chat/set", "editor", "Set a variable"),
  gotoInChat: post("/chats/:chat/goto", "editor", "Go to a node; the agent waits there"),
  whyInChat: get("/chats/:chat/why", "editor", "Why the last transition was taken, or why none was"),
  endChat: { ...post("/chats/:chat", "editor", "End a chat"), method: "DELETE" },
  startTrial: post(
    "/trials",
    "editor",
    "Try other prompts on stored calls or on a scenario, beside the agent as it is",
  ),
  trial: get("/trials/:trial", "editor", "A trial: its calls with both versions, and how far it is"),
  endTrial: { ...post("/trials/:trial", "editor", "End a trial, and forget it"), method: "DELETE" },
  proposals: get("/proposals", "editor", "Changes of the source that wait for a decision"),
  propose: post("/proposals", "editor", "Write a change of prompts as a patch; the source stays as it is"),
  acceptProposal: post("/proposals/:proposal/accept", "editor", "Write a proposed change into the source as it is now"),
  rejectProposal: post("/proposals/:proposal/reject", "editor", "Put a proposed change away"),
  deployments: get("/deployments", "viewer", "The environments, and what is deployed there"),
  planDeployment: get("/deployments/:environment/plan", "editor", "What applying would change on the platform"),
  applyDeployment: post("/deployments/:environment/apply", "editor", "Apply the plan that was read"),
  drift: get("/deployments/:environment/drift", "editor", "What was changed on the platform since the last apply"),
  planRollback: get("/deployments/:environment/rollback", "editor", "What a rollback would change on the platform"),
  rollback: post("/deployments/:environment/rollback", "editor", "Restore the state before an apply"),
  exportRun: file("/exports/run/:file", "viewer", "A run as a file: ID.html, ID.csv or ID.jsonl"),
  exportCall: file("/exports/call/:file", "viewer", "A call as a file: ID.html or ID.jsonl"),
  exportComparison: file("/exports/comparison/:file", "viewer", "A comparison as a file: ID.html, ID.csv or ID.jsonl"),
  exportExamples: file(
    "/exports/examples/:file",
    "viewer",
    "Labels as known verdicts: judge.jsonl, for judge calibrate",
  ),
  events: { ...get("/events", "viewer", "What happens, as server-sent events"), gives: "events" },
  audit: get("/audit", "editor", "Who did what, newest first"),
  openapi: get("/openapi.json", null, "This API as an OpenAPI document"),
} as const satisfies { readonly [name: string]: Route };

/** What the studio's client can be asked for, such as `run` or `call`: each is a path of the API. */
export type StudioRouteName = keyof typeof ROUTES;

function get<const Path extends string>(path: Path, role: Role | null, summary: string) {
  return { method: "GET", path, role, gives: "json", summary } as const;
}

function post<const Path extends string>(path: Path, role: Role | null, summary: string) {
  return { method: "POST", path, role, gives: "json", summary } as const;
}

function file<const Path extends string>(path: Path, role: Role | null, summary: string) {
  return { method: "GET", path, role, gives: "file", summary } as const;
}
