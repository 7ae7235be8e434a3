import * as v from "valibot";
import { Document } from "./parts.ts";
import { Finding } from "./project.ts";

/** A step of a counterexample, in words. */
export const PolicyStep = v.object({
  kind: v.picklist(["open", "hear", "decide", "extract", "tool", "transfer", "speak", "move", "end"]),
  /** Id of the node where the call is after it. */
  node: v.string(),
  words: v.string(),
  /** Of a move: where it comes from, and by which of that node's transitions or go-back conditions. */
  move: v.nullable(
    v.object({
      from: v.string(),
      by: v.string(),
      transition: v.nullable(v.number()),
      goBack: v.nullable(v.number()),
    }),
  ),
});

/** What the search decided about a policy. */
export const PolicyDecision = v.object({
  name: v.string(),
  /** `unknown`: the search reached its limits, or the policy names what the agent does not have. */
  verdict: v.picklist(["holds", "broken", "unknown"]),
  /** The rule that is broken or undecided, as a sentence. */
  rule: v.nullable(v.string()),
  /** Why it is undecided. */
  reason: v.nullable(v.string()),
  /** Names of the policy that the agent does not have. */
  problems: v.array(Finding),
  /** The shortest call that breaks it. */
  counterexample: v.nullable(
    v.object({
      /** Ids of its nodes, in the order of entry. */
      visits: v.array(v.string()),
      /** Variables that the call begins with. */
      variables: v.record(v.string(), v.string()),
      steps: v.array(PolicyStep),
      /** A scenario that leads a call there, as the SDK's `Scenario`. */
      scenario: Document,
    }),
  ),
});

export const AgentPolicies = v.object({
  /** Fingerprint of the version that was searched; `null` without a source. */
  fingerprint: v.nullable(v.string()),
  items: v.array(PolicyDecision),
});
