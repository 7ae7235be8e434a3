import type { Path } from "../../../base/errors.ts";
import { isRecord, own, quotedList } from "../../../base/values/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type Finding,
  referenceIssues,
  toGraph,
} from "../../../document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../../../document/platforms/mod.ts";
import { conditionFindings, equationFindings } from "./condition_findings.ts";
import { nodeFindings, pathFindings, silenceFindings, structureFindings } from "./structure_findings.ts";
import { meaningOf, plainWords, promptFindings, textFindings } from "./text_findings.ts";
import { keyFindings, variableFindings } from "./variable_findings.ts";

/**
 * All findings of a graph, also those that the compiler reports for a flow in code. Within each kind they are in
 * document order.
 *
 * `docs/check.md` explains each code of a finding. Suppressions are not applied: `check()` does that.
 *
 * @throws {GraphError} `not-a-graph`.
 */
export function checkGraph(source: AgentGraph): Finding[] {
  const graph = toGraph(source, "Cannot check graph");
  const references = referenceIssues(graph).map((issue): Finding => ({ ...issue, severity: "error" }));
  return [
    ...references,
    ...nodeFindings(graph),
    ...structureFindings(graph),
    ...pathFindings(graph),
    ...silenceFindings(graph),
    ...conditionFindings(graph),
    ...equationFindings(graph),
    ...globalFindings(graph),
    ...textFindings(graph),
    ...variableFindings(graph),
    ...promptFindings(graph),
    ...keyFindings(graph),
  ];
}

type Entry = readonly [string, AgentNode];

/** Findings for global nodes, and for conditions that the model cannot tell apart. */
function globalFindings(graph: AgentGraph): Finding[] {
  const nodes = Object.entries(graph.nodes);
  const globals = nodes.filter(([, node]) => node.global_node_setting);
  return [
    ...endlessReentry(globals),
    ...backIntoEnds(graph, nodes),
    ...sameConditions(nodes, globals),
    ...stolen(nodes, globals),
  ];
}

/** Global nodes that can be entered from each other and go back: their stack of originators has no limit. */
function endlessReentry(globals: readonly Entry[]): readonly Finding[] {
  const open = globals.filter(
    ([, { node_type: type, global_node_setting: setting, metadata }]) =>
      type === "conversation" &&
      (setting?.go_back_conditions.length ?? 0) > 0 &&
      !limitsReentry(setting?.metadata, metadata),
  );
  const [first, second] = open;
  if (!first || !second) return [];
  const message = `global nodes ${quotedList(open.map(([id]) => id))} can be entered from each other without limit, and each entry adds a node to go back to`;
  const settings = LIMITS.map(({ title, key }) => `${title}: \`${key}\``).join(", ");
  const hint = `Limit how often a global node is entered (${settings}), or lead on from it by a transition`;
  const witness = { path: [first[0], second[0], first[0], second[0]] };
  return [{ code: "global-reentry", severity: "info", path: ["nodes", first[0]], message, hint, witness }];
}

function limitsReentry(...metadata: readonly unknown[]): boolean {
  const texts = metadata.filter(isRecord).map((each) => JSON.stringify(each));
  return LIMITS.some(({ key }) => texts.some((text) => text.includes(JSON.stringify(key))));
}

/** The settings of platforms that limit how often a global node is entered. */
const LIMITS = PLATFORM_NAMES.flatMap((name) => {
  const { title, keys } = PLATFORM_DATA[name];
  return keys.reentryLimit === null ? [] : [{ title, key: keys.reentryLimit }];
});

/** A failed transfer that leads into a global node: going back from there transfers again. */
function backIntoEnds(graph: AgentGraph, nodes: readonly Entry[]): readonly Finding[] {
  return nodes.flatMap(([id, { node_type: type, transitions }]) => {
    if (type !== "transfer") return [];
    return transitions.flatMap(({ target_node_id: target, condition }, index): Finding[] => {
      const setting = own(graph.nodes, target)?.global_node_setting;
      if (condition.type !== "tool_call" || !setting || setting.go_back_conditions.length === 0) return [];
      const message = `going back from global node "${target}" leads to transfer "${id}" again`;
      const hint = `Lead the failed transfer to a node that is not global`;
      const path = ["nodes", id, "transitions", index];
      return [
        { code: "go-back-into-end", severity: "warning", path, message, hint, witness: { path: [id, target, id] } },
      ];
    });
  });
}

interface Offered {
  readonly path: Path;
  readonly text: string;
  readonly target: string;
}

function offersOf([id, { transitions }]: Entry): readonly Offered[] {
  return transitions.flatMap(({ condition, target_node_id: target }, index) =>
    condition.type === "llm_prompt"
      ? [{ path: ["nodes", id, "transitions", index, "condition"], text: condition.value, target }]
      : [],
  );
}

function globalOffer([id, { global_node_setting: setting }]: Entry): Offered {
  return { path: ["nodes", id, "global_node_setting"], text: setting?.condition ?? "", target: id };
}

/** Conditions on offer together that read the same and lead to different nodes. */
function sameConditions(nodes: readonly Entry[], globals: readonly Entry[]): readonly Finding[] {
  return [globals.map(globalOffer), ...nodes.map(offersOf)].flatMap((offers) => {
    const first = new Map<string, Offered>();
    return offers.flatMap((offer): Finding[] => {
      const words = plainWords(offer.text);
      const known = first.get(words);
      if (!known) first.set(words, offer);
      if (!known || words === "" || known.target === offer.target) return [];
      const message = `"${shortened(offer.text)}" is also the condition for "${known.target}", so the model cannot tell it from "${offer.target}"`;
      const hint = "Say in each condition what sets it apart";
      return [{ code: "same-condition", severity: "warning", path: offer.path, message, hint }];
    });
  });
}

/** Transitions whose words are those of a global node's entry condition. */
function stolen(nodes: readonly Entry[], globals: readonly Entry[]): readonly Finding[] {
  const entries = new Map(
    globals.map(globalOffer).flatMap((offer) => {
      const meaning = meaningOf(offer.text);
      return meaning === "" ? [] : [[meaning, offer] as const];
    }),
  );
  if (entries.size === 0) return [];
  return nodes.flatMap((entry) =>
    entry[1].node_type !== "conversation"
      ? []
      : offersOf(entry).flatMap(({ path, text, target }): Finding[] => {
          const global = entries.get(meaningOf(text));
          if (!global || global.target === target || global.target === entry[0]) return [];
          const message = `"${shortened(text)}" reads like the entry condition of global node "${global.target}", which is offered beside it`;
          const hint = `Say in both conditions what sets them apart, or lead to "${global.target}"`;
          return [{ code: "global-steals-transition", severity: "warning", path, message, hint }];
        }),
  );
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80).trim()}…` : text.trim();
}
