import type { Path } from "../../base/errors.ts";
import type { AgentGraph, Finding } from "../../document/graph/mod.ts";
import { reachedIn } from "../analysis/mod.ts";

/** Where a consequence is, seen from its cause. */
type ConsequenceScope =
  /** At the same path. */
  | "path"
  /** At the same node. */
  | "node"
  /** At a node that no call reaches. */
  | "unreached"
  | "graph";

/** A finding with one of these codes (`*` is any other code) explains those with the others. */
type Rule = readonly [causes: readonly string[], consequences: readonly string[], place: ConsequenceScope];

/** Codes for an edge that leads to no known node, so that other nodes only seem to be cut off. */
const LOST_EDGES = ["unknown-target", "unknown-destination", "unknown-state", "unknown-assistant", "unconnected-edge"];
/** Findings for nodes without ways on. */
const STUCK = ["dead-end", "no-way-out", "no-else", "unhandled-choice"];
const CUT_OFF = ["unreachable-node", "island", "end-never-reached"];
const CUT_OFF_HERE = [...STUCK, ...CUT_OFF, "unset-variable", "unused-variable"];

/** Rules chain: the cause of a finding is also the cause of that finding's consequences. */
const CONSEQUENCE_RULES: readonly Rule[] = [
  [["*"], ["unknown-key"], "path"],
  [["node-type"], ["missing-field", "missing-edge", "instruction-type"], "node"],
  [["function-without-tool"], ["unknown-tool"], "node"],
  [["edge-description", "handoff-undescribed", "missing-condition", "condition-shape"], ["empty-condition"], "node"],
  [["missing-edge"], ["no-else"], "node"],
  [["self-edge"], ["no-way-out"], "node"],
  [["duplicate-tool"], ["tool-duplicate"], "node"],
  [["unreachable-node", "island"], [...STUCK, "unset-variable", "unused-variable"], "unreached"],
  [LOST_EDGES, STUCK, "node"],
  [LOST_EDGES, CUT_OFF, "graph"],
];

/** Codes for an object that lacks a part, or has one in another shape. */
const INCOMPLETE = [
  ...["missing-field", "missing-condition", "missing-edge", "condition-shape", "equation-shape", "equation-operator"],
  ...["edge-description", "refused-value", "equation-mismatch", "unknown-variable"],
];

/**
 * Returns the findings that are only consequences of others. Fixing the cause fixes them, so they are not reported
 * beside it.
 *
 * @param references Keys of the platform's documents that name another part, such as the target of an edge.
 */
export function consequencesIn(
  graph: AgentGraph,
  findings: readonly Finding[],
  references: readonly string[],
): ReadonlySet<Finding> {
  const hidden = new Set<Finding>(repeatedIn(findings));
  const hide = (isConsequence: (finding: Finding) => boolean) => {
    for (const finding of findings) if (isConsequence(finding)) hidden.add(finding);
  };
  const misspelt = findings.filter((finding) => meantKey(finding) !== undefined);
  const meant = new Set(misspelt.map(meantKey));
  const owners = new Set(misspelt.map(({ path }) => lastKey(path.slice(0, -1))));
  const isLost = references.some((key) => meant.has(key));
  hide(({ code, path }) => {
    const key = lastKey(path);
    return meant.has(key) || (INCOMPLETE.includes(code) && owners.has(key)) || (isLost && CUT_OFF_HERE.includes(code));
  });
  const reached = reachedIn(graph);
  for (const [causes, consequences, place] of CONSEQUENCE_RULES) {
    const isCause = ({ code }: Finding) => causes.includes(code) || (causes[0] === "*" && !consequences.includes(code));
    const places = new Set(findings.filter(isCause).map(({ path }) => placeOf(place, path, reached)));
    places.delete(undefined);
    hide(({ code, path }) => consequences.includes(code) && places.has(placeOf(place, path, reached)));
  }
  return hidden;
}

/** Returns what a cause and its consequences have in common. */
function placeOf(place: ConsequenceScope, path: Path, reached: ReadonlySet<string>): string | undefined {
  const node = nodeOf(path);
  switch (place) {
    case "graph":
      return "";
    case "path":
      return path.join("\n");
    case "node":
      return node;
    case "unreached":
      return node !== undefined && !reached.has(node) ? "" : undefined;
  }
}

/** Returns the key that a misspelt key stands for. */
function meantKey({ code, hint = "" }: Finding): string | undefined {
  return code === "unknown-key" ? /^Did you mean "(.+)"\?$/.exec(hint)?.[1] : undefined;
}

const lastKey = (path: Path): string | undefined => path.findLast((key) => typeof key === "string");

/** Returns the node of a path; LLMs name nodes by the names of their states. */
function nodeOf([kind, id]: Path): string | undefined {
  return (kind === "nodes" || kind === "states") && typeof id === "string" ? id : undefined;
}

/** Findings that another part of the check has reported to the letter. */
function repeatedIn(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ code, path, message }) => {
    const text = JSON.stringify([code, path, message]);
    const isRepeated = seen.has(text);
    seen.add(text);
    return isRepeated;
  });
}
