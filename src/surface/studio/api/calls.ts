import * as v from "valibot";
import { Count, Document, Name, PageQuery, pageOf, Status } from "./parts.ts";

/** A message of a transcript, as the SDK's `Message`. */
export const Message = v.looseObject({
  role: v.picklist(["user", "assistant", "tool", "system"]),
  content: v.string(),
  node_id: v.string(),
  timestamp: v.string(),
  metadata: Document,
});

/** A call without its transcript, as the SDK's `ResultSummary`. */
export const CallSummary = v.object({
  id: v.string(),
  runId: v.string(),
  agent: v.string(),
  scenario: v.string(),
  trial: v.number(),
  attempt: v.nullable(v.number()),
  status: Status,
  startedAt: v.string(),
  turnCount: v.number(),
  durationMs: v.number(),
  endReason: v.nullable(v.string()),
  errorMessage: v.nullable(v.string()),
  /** Mean score of the judge's criteria, from 0 to 1; `null` if nothing was judged. */
  score: v.nullable(v.number()),
});

/** Calls, newest first. */
export const CallsQuery = v.object({
  ...PageQuery,
  run: v.optional(Name),
  scenario: v.optional(Name),
  status: v.optional(Status),
});
export const Calls = pageOf(CallSummary);

/** A piece of a text: positions in UTF-16 units, the end excluded. */
export const Span = v.object({ from: Count, to: Count });

/** Words of the transcript that are evidence of a verdict. */
export const EvidenceMark = v.object({
  criterion: v.string(),
  /** Index of the message in the transcript. */
  message: Count,
  ...Span.entries,
});

/** A change of node, and why it was taken. */
export const Move = v.object({
  message: Count,
  from: v.string(),
  to: v.string(),
  because: v.string(),
  /** The model's reasoning; `null` if no model was asked. */
  reasoning: v.nullable(v.string()),
});

/** New values of variables. */
export const VariableStep = v.object({
  /** Index of the message after which they hold. */
  message: Count,
  changes: v.array(v.object({ name: v.string(), value: v.unknown(), was: v.optional(v.unknown()) })),
});

/** A node, by the names that people gave. */
export const NamedNode = v.object({ id: v.string(), name: v.string(), type: v.nullable(v.string()) });

/** How long the caller waited in a turn, as the SDK's `TurnLatency`. */
export const Latency = v.looseObject({
  turn: v.number(),
  nodeId: v.string(),
  firstWordMs: v.nullable(v.number()),
  parts: v.optional(
    v.looseObject({ transition: v.number(), extraction: v.number(), tools: v.number(), reply: v.number() }),
  ),
});

/** The recording of a call by voice. */
export const Recording = v.object({
  /** Path in this server; `null` if only the platform has it. */
  path: v.nullable(v.string()),
  /** Address at the platform; `null` for a file. */
  url: v.nullable(v.string()),
  turns: v.array(v.object({ speaker: v.picklist(["caller", "agent"]), turn: v.number(), fromMs: v.number() })),
});

/** What somebody says of a call, or of a turn of it. */
export const Label = v.object({
  id: v.string(),
  call: v.string(),
  /** Number of the caller's turn, from 1; 0 for the opening; `null` for the whole call. */
  turn: v.nullable(v.number()),
  /** The judge's criterion that it is about; `null` for none. */
  criterion: v.nullable(v.string()),
  verdict: v.picklist(["good", "bad"]),
  /** What went wrong; `null` if nothing is said. */
  what: v.nullable(v.string()),
  /** The right words; `null` if nothing is said. */
  words: v.nullable(v.string()),
  by: v.string(),
  at: v.string(),
});

/** One difference between a repeated call and its recording, as the SDK's `Divergence`. */
export const CallDivergence = v.looseObject({
  kind: v.picklist(["path", "variable", "tool", "end"]),
  /** Number of the caller's turn, from 1; 0 for the opening. */
  turn: v.number(),
  nodeId: v.string(),
  recorded: v.nullable(v.string()),
  replayed: v.nullable(v.string()),
  reason: v.string(),
  recordedReason: v.optional(v.string()),
  replayedReason: v.optional(v.string()),
  graphChanges: v.optional(v.array(v.string())),
  /** Whether it may follow from an earlier difference. */
  follows: v.optional(v.literal(true)),
});

/** A call in which the caller's words of this call were said again, by `replay` or by `verify`. */
export const Repetition = v.object({
  call: v.string(),
  run: v.string(),
  status: Status,
  startedAt: v.string(),
  divergences: v.array(CallDivergence),
});

/** `blind`: without the labels of others. */
export const CallQuery = v.object({ blind: v.optional(v.picklist(["true", "false"])) });

/** A call with all that is known of it. */
export const Call = v.object({
  ...CallSummary.entries,
  kind: v.picklist(["simulated", "imported", "replay"]),
  transcript: v.array(Message),
  /** Ids of nodes in the order of entry. */
  nodesVisited: v.array(v.string()),
  /** The nodes of the agent, and those that only the call names. */
  nodes: v.array(NamedNode),
  moves: v.array(Move),
  toolsCalled: v.array(
    v.looseObject({
      name: v.string(),
      arguments: Document,
      outcome: v.picklist(["succeeded", "failed"]),
      durationMs: v.number(),
      nodeId: v.string(),
    }),
  ),
  /** Values at the end of the call. */
  variables: Document,
  startVariables: Document,
  steps: v.array(VariableStep),
  verdicts: v.array(
    v.looseObject({
      criterion: v.string(),
      score: v.number(),
      threshold: v.number(),
      passed: v.boolean(),
      evidence: v.string(),
      reasoning: v.string(),
    }),
  ),
  checks: v.array(v.looseObject({ kind: v.string(), expected: v.string(), passed: v.boolean(), reason: v.string() })),
  marks: v.array(EvidenceMark),
  latency: v.array(Latency),
  usage: Document,
  recording: v.nullable(Recording),
  /** What only a call by voice shows, as the SDK's `VoiceRecord`; `null` for calls in text. */
  voice: v.nullable(Document),
  provenance: v.nullable(Document),
  /** What the audit of the simulated caller found, as the SDK's `AuditFinding`: such a call says nothing of the agent. */
  audit: v.array(
    v.looseObject({
      kind: v.picklist(["invented-fact", "ended-early", "trait-not-shown"]),
      fact: v.optional(v.string()),
      quote: v.string(),
      reason: v.string(),
    }),
  ),
  /** Of a call that repeats another, the other and the differences; `null` for other calls. */
  replay: v.nullable(
    v.object({ ofResult: v.string(), mode: v.picklist(["strict", "adaptive"]), divergences: v.array(CallDivergence) }),
  ),
  /** The newest calls that repeat this one, up to 20. */
  repetitions: v.array(Repetition),
  /** Whether the agent was held by a connection, and not by its graph. */
  isConnected: v.boolean(),
  labels: v.array(Label),
  /** Ids of the calls before and after it in its run; `null` at the ends. */
  previous: v.nullable(v.string()),
  next: v.nullable(v.string()),
});

export const SearchQuery = v.object({
  ...PageQuery,
  /** Words that the call has all of; words in quotes stand together. */
  q: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  agent: v.optional(Name),
  run: v.optional(Name),
  status: v.optional(Status),
});

/** Calls in which words were said. */
export const Search = v.object({
  ...pageOf(
    v.object({
      call: CallSummary,
      excerpts: v.array(
        v.object({
          message: Count,
          role: v.picklist(["user", "assistant", "tool", "system"]),
          text: v.string(),
          marks: v.array(Span),
        }),
      ),
    }),
  ).entries,
  /** Number of stored calls that are not in the index yet. */
  waiting: Count,
});
