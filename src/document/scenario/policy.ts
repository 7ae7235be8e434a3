import * as v from "valibot";
import { type Issue, ScenarioError, throwIssues } from "../../base/errors.ts";
import { isRecord, shown } from "../../base/values/mod.ts";
import type { EquationClause, TransitionCondition } from "../graph/mod.ts";
import { END_REASONS, type EndReason } from "../transcript/mod.ts";

/** An event of a call: a node is entered, a tool has answered, or the call has ended. */
export type PolicyPoint =
  | { readonly node: string }
  | { readonly tool: string; readonly outcome?: "succeeded" | "failed" }
  | { readonly end: EndReason };

/** One rule of a policy. If several events are listed, any of them counts. */
export type PolicyRule =
  | { readonly verb: "before"; readonly first: readonly PolicyPoint[]; readonly second: readonly PolicyPoint[] }
  | { readonly verb: "never"; readonly points: readonly PolicyPoint[]; readonly while?: TransitionCondition }
  | { readonly verb: "at_most_once"; readonly points: readonly PolicyPoint[] }
  | { readonly verb: "after"; readonly first: readonly PolicyPoint[]; readonly second: readonly PolicyPoint[] }
  | { readonly verb: "leads_to"; readonly first: readonly PolicyPoint[]; readonly second: readonly PolicyPoint[] }
  | { readonly verb: "way_to"; readonly points: readonly PolicyPoint[] }
  | { readonly verb: "known"; readonly variables: readonly string[] };

/** A rule for every call, as a document. */
export interface Policy {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}

/** A policy in any form: built by `policy()`, or a document. */
export type PolicySource = Policy | { readonly toJSON: () => Policy };

const filled = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== "", "it is blank"),
);
const OUTCOMES = ["succeeded", "failed"] as const;
const Point = v.union(
  [
    v.strictObject({ node: filled }),
    v.strictObject({ tool: filled, outcome: v.optional(v.picklist(OUTCOMES)) }),
    v.strictObject({ end: v.picklist(END_REASONS) }),
  ],
  `Expected { node }, { tool, outcome? } with an outcome ${OUTCOMES.join(" or ")}, or { end } with one of ${END_REASONS.join(", ")}`,
);
const points = v.pipe(v.array(Point), v.minLength(1));
const Clause = v.looseObject({
  left: v.string(),
  operator: v.string(),
  right: v.nullish(v.union([v.string(), v.number(), v.boolean()])),
});
const Condition = v.looseObject({
  equations: v.pipe(v.array(Clause), v.minLength(1)),
  logical_operator: v.nullish(v.picklist(["and", "or"])),
});
const Rule = v.variant("verb", [
  v.strictObject({ verb: v.literal("before"), first: points, second: points }),
  v.strictObject({ verb: v.literal("never"), points, while: v.optional(Condition) }),
  v.strictObject({ verb: v.literal("at_most_once"), points }),
  v.strictObject({ verb: v.literal("after"), first: points, second: points }),
  v.strictObject({ verb: v.literal("leads_to"), first: points, second: points }),
  v.strictObject({ verb: v.literal("way_to"), points }),
  v.strictObject({ verb: v.literal("known"), variables: v.pipe(v.array(filled), v.minLength(1)) }),
]);
const PolicyDocument = v.looseObject({
  name: filled,
  rules: v.pipe(v.array(Rule), v.minLength(1)),
});

/**
 * Parses policies: documents, or results of `policy()`.
 *
 * @throws {ScenarioError} `invalid-policy`; `issues` lists every problem.
 */
export function parsePolicies(value: unknown): readonly Policy[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const issues: Issue[] = [];
  const names = new Set<string>();
  const policies = items.flatMap((item, index): Policy[] => {
    const document = plainPolicy(item);
    const read = v.safeParse(PolicyDocument, document);
    if (!read.success) {
      const hint = "Write { name, rules }, as policy() does; docs/policies.md lists the rules";
      if (!isRecord(document))
        issues.push({ code: "invalid-policy", path: [index], message: `it is ${shown(document)}`, hint });
      else
        for (const { path = [], message } of read.issues) {
          const at = path.map(({ key }) => (typeof key === "number" ? key : String(key)));
          const name = typeof document.name === "string" ? `"${document.name}"` : `number ${index}`;
          const text = `policy ${name}, ${at.join(".") || "itself"}: ${message}`;
          issues.push({ code: "invalid-policy", path: [index, ...at], message: text, hint });
        }
      return [];
    }
    const { name, rules } = read.output;
    if (names.has(name)) {
      const message = `policy "${name}" exists twice`;
      issues.push({ code: "invalid-policy", path: [index, "name"], message, hint: "Give each a different name" });
    }
    names.add(name);
    return [{ name, rules: rules.map(readRule) }];
  });
  throwIssues(ScenarioError, "Cannot read policies", issues);
  return policies;
}

/** Whether a value is a policy or looks like one. */
export function isPolicy(value: unknown): boolean {
  const document = plainPolicy(value);
  return isRecord(document) && typeof document.name === "string" && Array.isArray(document.rules);
}

function plainPolicy(value: unknown): unknown {
  return isRecord(value) && typeof value.toJSON === "function" ? value.toJSON() : value;
}

function readRule(rule: v.InferOutput<typeof Rule>): PolicyRule {
  if (rule.verb === "never") {
    const { while: condition, ...rest } = rule;
    return { ...rest, points: rest.points.map(readPoint), ...(condition ? { while: readCondition(condition) } : {}) };
  }
  if (rule.verb === "known") return rule;
  if ("points" in rule) return { ...rule, points: rule.points.map(readPoint) };
  return { ...rule, first: rule.first.map(readPoint), second: rule.second.map(readPoint) };
}

function readPoint(point: v.InferOutput<typeof Point>): PolicyPoint {
  if (!("tool" in point)) return point;
  const { tool, outcome } = point;
  return outcome ? { tool, outcome } : { tool };
}

function readCondition({ equations, logical_operator: operator }: v.InferOutput<typeof Condition>) {
  const clauses = equations.map(
    ({ left, operator, right }): EquationClause => ({
      left,
      operator,
      ...(right === undefined || right === null ? {} : { right }),
    }),
  );
  const logic = operator ? { logical_operator: operator } : {};
  return { type: "equation", value: "", equations: clauses, ...logic } satisfies TransitionCondition;
}
