import type { EndReason } from "../../../document/transcript/mod.ts";
import type { EvaluatedClause, MoveCause } from "./path.ts";
import type { PathEdge } from "./place.ts";

/** Something that happens in a call, as paths and transcripts show it. */
export type CallEvent =
  | {
      readonly kind: "enter";
      readonly node: string;
      readonly from?: string;
      readonly by?: MoveCause;
      readonly transition?: number;
      readonly goBack?: number;
    }
  | {
      readonly kind: "tool";
      readonly node: string;
      readonly tool: string;
      readonly outcome: "succeeded" | "failed";
    }
  /** Variables may have changed. */
  | { readonly kind: "set"; readonly node: string }
  | { readonly kind: "speak"; readonly node: string; readonly isBegin?: boolean }
  | { readonly kind: "end"; readonly node: string; readonly reason: EndReason }
  /** A clause was evaluated; only in searches for one. */
  | ({ readonly kind: "evaluate" } & EvaluatedClause);

/** The events of an edge, in order. Variables are set by its extraction, or after its tool has answered. */
export function eventsOf({ steps, writes, evaluates }: PathEdge): readonly CallEvent[] {
  const isOpening = steps[0]?.kind === "open";
  const events = steps.flatMap((step): CallEvent[] => {
    const { node } = step.kind === "move" ? { node: step.to } : step;
    const set: CallEvent[] = writes && writes.length > 0 ? [{ kind: "set", node }] : [];
    switch (step.kind) {
      case "move": {
        const { kind: _kind, to: _to, ...cause } = step;
        return [{ kind: "enter", node, ...cause }];
      }
      case "extract":
        return set;
      case "tool":
        return [{ kind: "tool", node, tool: step.tool, outcome: step.outcome }, ...set];
      case "speak":
        return [{ kind: "speak", node, ...(isOpening && step.verbatim ? { isBegin: true } : {}) }];
      case "end":
        return [{ kind: "end", node, reason: step.reason }];
      default:
        return [];
    }
  });
  return evaluates ? [...events, { kind: "evaluate", ...evaluates }] : events;
}
