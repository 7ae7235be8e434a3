import type { Path } from "../../base/errors.ts";
import { didYouMean, isRecord, isTypoOf, recordAt } from "../../base/values/mod.ts";
import type { AgentGraph, Finding } from "../../document/graph/mod.ts";

/** A finding that is accepted, and why. */
export interface Suppression {
  readonly code: string;
  /** The node whose findings are accepted. Absent: those of the whole graph. */
  readonly node?: string;
  readonly reason: string;
}

interface Rule {
  readonly code: string;
  readonly reason: string;
  /** Findings at this path and below. */
  readonly scope: Path;
  /** Where the suppression is written. */
  readonly path: Path;
}

/**
 * Leaves out findings that the graph or the caller accepts, and adds findings for suppressions without a reason or
 * without effect. In a document they are `suppress: { code: reason }` under `metadata.callweave` of a node or a
 * transition, or under `source_metadata.callweave` for the whole graph.
 */
export function suppressFindings(
  graph: AgentGraph,
  findings: readonly Finding[],
  suppressions: readonly Suppression[] = [],
): readonly Finding[] {
  const rules = [...rulesOf(graph), ...suppressions.map(ruleOf)];
  if (rules.length === 0) return findings;
  const byCode = new Map<string, Rule[]>();
  for (const rule of rules) byCode.set(rule.code, [...(byCode.get(rule.code) ?? []), rule]);
  const used = new Set<Rule>();
  const kept = findings.filter((finding) => {
    const matching = (byCode.get(finding.code) ?? []).filter(({ scope }) => isWithin(finding.path, scope));
    for (const rule of matching) used.add(rule);
    return !matching.some(({ reason }) => reason.trim() !== "");
  });
  return [...kept, ...rules.flatMap((rule) => remark(rule, used.has(rule)))];
}

function rulesOf(graph: AgentGraph): readonly Rule[] {
  const read = (metadata: unknown, at: Path, scope: Path): readonly Rule[] => {
    const suppress = recordAt(isRecord(metadata) ? recordAt(metadata, "callweave") : {}, "suppress");
    return Object.entries(suppress).map(([code, reason]) => {
      return {
        code,
        reason: typeof reason === "string" ? reason : "",
        scope,
        path: [...at, "callweave", "suppress", code],
      };
    });
  };
  return [
    ...read(graph.source_metadata, ["source_metadata"], []),
    ...Object.entries(graph.nodes).flatMap(([id, node]) => [
      ...read(node.metadata, ["nodes", id, "metadata"], ["nodes", id]),
      ...node.transitions.flatMap(({ metadata }, index) => {
        const scope = ["nodes", id, "transitions", index];
        return metadata ? read(metadata, [...scope, "metadata"], scope) : [];
      }),
    ]),
  ];
}

function ruleOf({ code, node, reason }: Suppression, index: number): Rule {
  return { code, reason, scope: node === undefined ? [] : ["nodes", node], path: ["suppress", index] };
}

function isWithin(path: Path, scope: Path): boolean {
  return scope.every((part, index) => path[index] === part);
}

/** Codes of a platform are only reported for that target, so only the graph's own codes can be without effect. */
function remark({ code, reason, path }: Rule, isUsed: boolean): readonly Finding[] {
  if (reason.trim() === "") {
    const message = `the suppression of "${code}" has no reason, so it has no effect`;
    return [
      { code: "suppression-without-reason", severity: "warning", path, message, hint: "Write why it is accepted" },
    ];
  }
  const codes: readonly string[] = CHECK_CODES;
  if (isUsed || !(codes.includes(code) || codes.some((known) => isTypoOf(known, code)))) return [];
  const message = `the suppression of "${code}" suppresses no finding`;
  const hint = codes.includes(code) ? "Remove it" : didYouMean(code, codes, "Remove it");
  return [{ code: "unused-suppression", severity: "warning", path, message, hint }];
}

/** Codes of findings by the rules of the graph; `docs/check.md` explains each. Platforms have codes of their own. */
export const CHECK_CODES = [
  // structure
  "unknown-entry",
  "unknown-target",
  "unreachable-node",
  "island",
  "dead-end",
  "no-way-out",
  "end-never-reached",
  "end-with-edges",
  // silence
  "endless-loop",
  "silent-cycle",
  "hop-limit",
  "many-model-calls",
  // conditions and equations
  "empty-condition",
  "equation-mismatch",
  "unknown-choice",
  "right-names-variable",
  "never-true",
  "unreadable-number",
  "shadowed-transition",
  "overlapping-transitions",
  "no-else",
  "unhandled-choice",
  // variables and snippets
  "unknown-variable",
  "undeclared-variable",
  "unset-variable",
  "unused-variable",
  "nothing-to-extract",
  "unknown-snippet",
  "unused-snippet",
  "nested-snippet",
  // global nodes
  "global-reentry",
  "global-steals-transition",
  "go-back-into-end",
  "same-condition",
  // prompts and tools
  "empty-prompt",
  "repeated-text",
  "similar-text",
  "tool-not-on-node",
  "function-without-tool",
  "destination-missing",
  "duplicate-tool",
  "conflicting-tools",
  "personal-data",
  "spoken-markup",
  "spoken-url",
  "spoken-digits",
  "mixed-languages",
  "language-setting",
  // the document
  "unknown-key",
  "unused-suppression",
  "suppression-without-reason",
] as const;

/** A code of a finding by the rules of the graph. */
export type CheckCode = (typeof CHECK_CODES)[number];
