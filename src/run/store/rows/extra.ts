import * as v from "valibot";
import { END_REASONS } from "../../../document/transcript/mod.ts";

const record = v.looseObject({});
/** Schema of a stored transcript. */
export const StoredTranscript = v.array(
  v.looseObject({
    role: v.picklist(["user", "assistant", "tool", "system"]),
    content: v.string(),
    node_id: v.string(),
    timestamp: v.string(),
    metadata: record,
  }),
);
/** Schema of stored verdicts. */
export const Verdicts = v.array(
  v.looseObject({
    criterion: v.string(),
    requirement: v.string(),
    claims: v.optional(v.picklist(["presence", "absence"])),
    evidence: v.string(),
    reasoning: v.string(),
    score: v.number(),
    confidence: v.optional(v.number()),
    threshold: v.number(),
    passed: v.boolean(),
    votes: v.optional(
      v.array(
        v.looseObject({
          score: v.number(),
          passed: v.boolean(),
          confidence: v.optional(v.number()),
          reasoning: v.string(),
        }),
      ),
    ),
    steps: v.optional(
      v.array(
        v.looseObject({
          turn: v.number(),
          node: v.string(),
          took: v.nullable(v.string()),
          right: v.boolean(),
          instead: v.optional(v.nullable(v.string())),
          quote: v.string(),
          reasoning: v.string(),
        }),
      ),
    ),
  }),
);
const Audit = v.looseObject({
  findings: v.array(
    v.looseObject({
      kind: v.picklist(["invented-fact", "ended-early"]),
      fact: v.optional(v.string()),
      quote: v.string(),
      reason: v.string(),
    }),
  ),
});
const Judgement = v.looseObject({
  passed: v.boolean(),
  verdicts: v.array(v.looseObject({ criterion: v.string(), score: v.number(), passed: v.boolean() })),
});
const VarianceCall = v.looseObject({
  status: v.picklist(["judged", "error"]),
  endReason: v.optional(v.picklist(END_REASONS)),
  errorMessage: v.nullable(v.string()),
  transcript: v.optional(StoredTranscript),
  judgements: v.array(Judgement),
});
const Variance = v.looseObject({ calls: v.array(VarianceCall) });
const Provenance = v.looseObject({
  format: v.string(),
  callId: v.nullable(v.string()),
  source: v.string(),
  position: v.number(),
  redacted: v.boolean(),
  agentId: v.optional(v.string()),
  platformEndReason: v.optional(v.string()),
  facts: v.optional(record),
});
const Parts = v.looseObject({ transition: v.number(), extraction: v.number(), tools: v.number(), reply: v.number() });
const Latency = v.array(
  v.looseObject({
    turn: v.number(),
    nodeId: v.string(),
    firstWordMs: v.nullable(v.number()),
    parts: v.optional(Parts),
  }),
);
const Heard = v.looseObject({
  message: v.number(),
  role: v.picklist(["user", "assistant"]),
  written: v.string(),
  heard: v.string(),
  wordErrorRate: v.number(),
  lost: v.array(v.looseObject({ kind: v.picklist(["number", "name", "email"]), written: v.string() })),
  diff: v.optional(v.array(v.looseObject({ kind: v.picklist(["same", "missing", "added"]), words: v.string() }))),
});
const TextTwin = v.looseObject({
  status: v.picklist(["pass", "fail", "error"]),
  errorMessage: v.nullable(v.string()),
  nodesVisited: v.array(v.string()),
  endReason: v.optional(v.picklist(END_REASONS)),
});
const AudioChange = v.looseObject({
  kind: v.picklist(["status", "criterion", "path", "variable", "tool", "end"]),
  name: v.optional(v.string()),
  text: v.nullable(v.string()),
  audio: v.nullable(v.string()),
});
const AudioUsage = v.looseObject({
  speechModel: v.string(),
  transcriptionModel: v.string(),
  requests: v.number(),
  characters: v.number(),
  seconds: v.number(),
});
const Audio = v.looseObject({
  messages: v.array(Heard),
  wordErrorRate: v.number(),
  verdicts: Verdicts,
  direction: v.optional(v.picklist(["agent", "both"])),
  text: v.optional(TextTwin),
  changes: v.optional(v.array(AudioChange)),
  usage: v.optional(AudioUsage),
});
const Diverged = v.looseObject({
  from: v.string(),
  to: v.string(),
  ways: v.array(
    v.union([
      v.object({ transition: v.number() }),
      v.object({ global: v.literal(true) }),
      v.object({ go_back: v.number() }),
    ]),
  ),
  name: v.string(),
});
const Replay = v.looseObject({
  ofResult: v.string(),
  mode: v.picklist(["strict", "adaptive"]),
  divergences: v.array(
    v.looseObject({
      kind: v.picklist(["path", "variable", "tool", "end"]),
      turn: v.number(),
      nodeId: v.string(),
      recorded: v.nullable(v.string()),
      replayed: v.nullable(v.string()),
      reason: v.string(),
      recordedTransition: v.optional(Diverged),
      replayedTransition: v.optional(Diverged),
      recordedReason: v.optional(v.string()),
      replayedReason: v.optional(v.string()),
      graphChanges: v.optional(v.array(v.string())),
      follows: v.optional(v.literal(true)),
    }),
  ),
});
/** Schema of the details that many results do not have. */
export const ResultExtras = v.looseObject({
  audit: v.optional(Audit),
  variance: v.optional(Variance),
  provenance: v.optional(Provenance),
  startVariables: v.optional(record),
  latency: v.optional(Latency),
  audio: v.optional(Audio),
  replay: v.optional(Replay),
  offlinePath: v.optional(v.looseObject({ followed: v.boolean(), reason: v.optional(v.string()) })),
});
