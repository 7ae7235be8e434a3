import * as v from "valibot";
import { NamedNode } from "./calls.ts";
import { Count, Document, ErrorAnswer, Name, PageQuery, pageOf, Rate, ROLES } from "./parts.ts";

/** Who asks. Requests that change something send `key` in the header `x-callweave-key`, or have a token. */
export const Session = v.object({
  /** `null`: nobody is signed in. */
  role: v.nullable(v.picklist(ROLES)),
  name: v.nullable(v.string()),
  key: v.nullable(v.string()),
  /** Whether people sign in with a token here. */
  needsToken: v.boolean(),
});
export const SignIn = v.object({ token: Name });

/** An agent of the project, or of runs whose source is not here. */
export const AgentSummary = v.object({
  id: v.string(),
  name: v.string(),
  /** Format that it was imported from; `code` for a module; `null` if only runs know it. */
  format: v.nullable(v.string()),
  nodes: Count,
  /** Path of its source; `null` if only runs know it. */
  source: v.nullable(v.string()),
  fingerprint: v.nullable(v.string()),
  /** Why the source cannot be used now. */
  problem: v.nullable(ErrorAnswer.entries.error),
  runs: Count,
});

export const Project = v.object({
  name: v.string(),
  /** Version of Callweave. */
  version: v.string(),
  role: v.picklist(ROLES),
  user: v.string(),
  agents: v.array(AgentSummary),
  counts: v.object({ runs: Count, calls: Count, labels: Count }),
  environments: v.array(v.string()),
  /** Names of deployed agents to talk with. */
  connections: v.array(v.string()),
  /** Address of the results database, without keys. */
  store: v.string(),
});

/** A finding of the agent's check, as the SDK's `Finding`. */
export const Finding = v.looseObject({
  code: v.string(),
  severity: v.picklist(["error", "warning", "info"]),
  path: v.array(v.union([v.string(), v.number()])),
  message: v.string(),
});

/** What calls showed of a node. */
export const NodeFigures = v.object({
  ...NamedNode.entries,
  /** Number of calls that were there. */
  calls: Count,
  /** How many of them passed. */
  passRate: Rate,
  /** Waits of callers there in milliseconds; `null` if they were not measured. */
  latency: v.nullable(v.object({ median: v.number(), p95: v.number(), turns: Count })),
  coverage: v.nullable(v.picklist(["covered", "partly", "uncovered"])),
});

/** The run whose calls the figures are of; default: the newest one of this version, else the newest one. */
export const AgentQuery = v.object({
  run: v.optional(Name),
  /** An earlier version: its fingerprint, or a run of it. Default: the agent as it is now. */
  version: v.optional(Name),
});

/** A version of an agent that runs have called. */
export const AgentVersion = v.object({
  fingerprint: v.string(),
  runs: Count,
  /** When the first and the last of them were started. */
  firstAt: v.string(),
  lastAt: v.string(),
  /** The last run, with the labels of where it comes from. */
  run: v.string(),
  commit: v.nullable(v.string()),
  branch: v.nullable(v.string()),
  environment: v.nullable(v.string()),
});
export const AgentVersionsQuery = v.object(PageQuery);
export const AgentVersions = v.object({
  ...pageOf(AgentVersion).entries,
  /** Fingerprint of the agent as it is now. */
  now: v.nullable(v.string()),
});

export const Agent = v.object({
  ...AgentSummary.entries,
  /** The AgentGraph. */
  graph: Document,
  /** SVG; nodes have the attribute `data-node`, transitions `data-edge`. */
  picture: v.string(),
  findings: v.array(Finding),
  figures: v.array(NodeFigures),
  /** Calls that count, and items that they covered; `null` without a run. */
  coverage: v.nullable(v.object({ calls: Count, covered: Count, total: Count })),
  /** The run that figures and coverage are of; `null`: there is none. */
  run: v.nullable(v.string()),
  /** Whether the run was of exactly this version. */
  isSameVersion: v.boolean(),
  /** Names of its policies. */
  policies: v.array(v.string()),
  scenarios: v.array(v.object({ name: v.string(), tags: v.array(v.string()) })),
});

/** Both are fingerprints, or runs. Default of `to`: the agent as it is now. */
export const AgentDiffQuery = v.object({ from: Name, to: v.optional(Name) });
/** A change of the agent, as the SDK's `GraphChange`. */
export const Change = v.looseObject({
  kind: v.string(),
  risk: v.string(),
  path: v.array(v.union([v.string(), v.number()])),
  message: v.string(),
});
export const AgentDiff = v.object({
  /** Fingerprints of the two versions. */
  from: v.string(),
  to: v.string(),
  changes: v.array(Change),
});
