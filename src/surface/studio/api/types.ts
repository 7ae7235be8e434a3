import type * as v from "valibot";
import type { CallSummary, EvidenceMark, Label, NamedNode } from "./calls.ts";
import type { Chat, ChatEvent } from "./chats.ts";
import type { StudioEvent } from "./events.ts";
import type { PolicyDecision, PolicyStep } from "./policies.ts";
import type { AgentSummary, Change, Finding, NodeFigures } from "./project.ts";
import type { Proposal } from "./proposals.ts";
import type { ROUTES, StudioRouteName } from "./routes.ts";
import type { RunScenario, RunSummary } from "./runs.ts";
import type { StudioSchemas } from "./schemas.ts";
import type { Trial } from "./trials.ts";

/** Names of the parameters in a route's path: `id` of `/calls/:id`. */
export type StudioPathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | StudioPathParameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a function of the client takes: the parameters of the route's path, its query and its body in one object. */
export type StudioInput<Name extends StudioRouteName> = {
  readonly [Parameter in StudioPathParameters<(typeof ROUTES)[Name]["path"]>]: string;
} & v.InferInput<StudioSchemas[Name]["query"]> &
  v.InferInput<StudioSchemas[Name]["body"]>;

/** What a route answers, or one of its events. */
export type StudioAnswer<Name extends StudioRouteName> = v.InferOutput<StudioSchemas[Name]["answer"]>;

/** A call in a list: what it was, how it ended and its verdict. */
export type StudioCallSummary = v.InferOutput<typeof CallSummary>;
/** Words of a call that a score rests on, by their place in the transcript. */
export type StudioEvidenceMark = v.InferOutput<typeof EvidenceMark>;
/** What a person said of a call or of one of its turns. */
export type StudioLabel = v.InferOutput<typeof Label>;
/** A node by its id, with the name that people gave it. */
export type StudioNamedNode = v.InferOutput<typeof NamedNode>;
/** A conversation with an agent in the studio, as it is now. */
export type StudioChat = v.InferOutput<typeof Chat>;
/** A part of a reply while it is streamed. */
export type StudioChatEvent = v.InferOutput<typeof ChatEvent>;
/** An event, with the id after which `events()` can go on. */
export type StudioEventRecord = v.InferOutput<typeof StudioEvent> & { readonly id: string };
/** An agent in a list: its source, its size and whether it can be loaded. */
export type StudioAgentSummary = v.InferOutput<typeof AgentSummary>;
/** One difference between two versions of an agent, in words. */
export type StudioChange = v.InferOutput<typeof Change>;
/** A problem that `check` sees in an agent, with the node it is at. */
export type StudioFinding = v.InferOutput<typeof Finding>;
/** What was decided about a policy of an agent, with a call that breaks it if there is one. */
export type StudioPolicyDecision = v.InferOutput<typeof PolicyDecision>;
/** A step of a call that breaks a policy. */
export type StudioPolicyStep = v.InferOutput<typeof PolicyStep>;
/** How often calls visited a node, and how they went there. */
export type StudioNodeFigures = v.InferOutput<typeof NodeFigures>;
/** A run in a list, with its labels, counts and rates. */
export type StudioRunSummary = v.InferOutput<typeof RunSummary>;
/** A scenario of a run: its trials, and its rate with an interval. */
export type StudioRunScenario = v.InferOutput<typeof RunScenario>;
/** A change of the source that waits for a decision, as a patch. */
export type StudioProposal = v.InferOutput<typeof Proposal>;
/** Other prompts on stored calls or on a scenario, beside the agent as it is. */
export type StudioTrial = v.InferOutput<typeof Trial>;
