import type { Path } from "../../../base/errors.ts";
import { isRecord, isTypoOf, own } from "../../../base/values/mod.ts";
import {
  bareName,
  placeholderContents,
  placeholderName,
  placeholdersIn,
  rightOf,
  rootName,
  snippetsIn,
} from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  definitionOf,
  type Finding,
  GRAPH_KEYS,
  isUnary,
  type Transition,
  type TransitionCondition,
} from "../../../document/graph/mod.ts";
import { failing, holding, lefts, satisfy, type ValueFacts } from "../equations/mod.ts";
import {
  allTexts,
  conditionsOf,
  conditionText,
  equationTransitions,
  textsOf,
  valuesText,
  variableFlow,
  variablesSetBy,
} from "../facts/mod.ts";

/**
 * Findings for keys that are almost keys of the graph, such as `state_promt`: like any unknown key they are kept, and
 * nothing reads them. `metadata`, snippets and platform settings have other keys.
 */
export function keyFindings(graph: AgentGraph): Finding[] {
  return [
    ...misspelled(graph, GRAPH_KEYS.graph, []),
    ...misspelled(graph.source_metadata, GRAPH_KEYS.sourceMetadata, ["source_metadata"]),
    ...Object.entries(graph.nodes).flatMap(([id, node]) => {
      const at: Path = ["nodes", id];
      const setting = node.global_node_setting;
      return [
        ...misspelled(node, GRAPH_KEYS.node, at),
        ...node.tools.flatMap((tool, index) => misspelled(tool, GRAPH_KEYS.tool, [...at, "tools", index])),
        ...node.variables_to_extract.flatMap((variable, index) =>
          misspelled(variable, GRAPH_KEYS.variable, [...at, "variables_to_extract", index]),
        ),
        ...node.transitions.flatMap((transition, index) => [
          ...misspelled(transition, GRAPH_KEYS.transition, [...at, "transitions", index]),
          ...inCondition(transition.condition, [...at, "transitions", index, "condition"]),
        ]),
        ...(setting ? misspelled(setting, GRAPH_KEYS.globalSetting, [...at, "global_node_setting"]) : []),
        ...(setting?.go_back_conditions ?? []).flatMap((back, index) => {
          const path = [...at, "global_node_setting", "go_back_conditions", index];
          return [...misspelled(back, GRAPH_KEYS.goBack, path), ...inCondition(back.condition, [...path, "condition"])];
        }),
      ];
    }),
  ];
}

function inCondition(condition: TransitionCondition, at: Path): Finding[] {
  return [
    ...misspelled(condition, GRAPH_KEYS.condition, at),
    ...(condition.equations ?? []).flatMap((clause, index) =>
      misspelled(clause, GRAPH_KEYS.equation, [...at, "equations", index]),
    ),
  ];
}

function misspelled(record: object, known: readonly string[], at: Path): Finding[] {
  return Object.keys(record).flatMap((key): Finding[] => {
    if (known.includes(key)) return [];
    const meant = known.find((each) => isTypoOf(each, key));
    if (meant === undefined) return [];
    const where = at.length === 0 ? "the graph" : `"${at.join(".")}"`;
    const message = `nothing reads the key "${key}" of ${where}`;
    return [
      { code: "unknown-key", severity: "warning", path: [...at, key], message, hint: `Did you mean "${meant}"?` },
    ];
  });
}

/** Earlier transitions that one is compared with; nodes with more equations are rare. */
const MOST_EARLIER = 60;

type Numbered = readonly [number, Transition];

/**
 * Findings for the order of equations: transitions that earlier ones always shadow, and pairs over the same variables
 * that can both hold, where neither is a special case of the other.
 *
 * @param dead Conditions that never hold, which other findings name.
 */
export function orderFindings(
  id: string,
  node: AgentNode,
  facts: ValueFacts,
  dead: ReadonlySet<TransitionCondition>,
): readonly Finding[] {
  const live = equationTransitions(node).filter(([, { condition }]) => !dead.has(condition));
  return live.flatMap((transition, place) => {
    const earlier = live.slice(Math.max(0, place - MOST_EARLIER), place);
    if (earlier.length === 0) return [];
    const hidden = shadowed(id, transition, earlier, facts);
    return hidden ? [hidden] : overlaps(id, transition, earlier, facts);
  });
}

function shadowed(
  id: string,
  [index, { condition }]: Numbered,
  earlier: readonly Numbered[],
  facts: ValueFacts,
): Finding | undefined {
  const left = earlier.flatMap(([, other]) => failing(other.condition));
  if (satisfy([...holding(condition), ...left], facts) !== "none") return undefined;
  const alone = earlier.find(
    ([, other]) => satisfy([...holding(condition), ...failing(other.condition)], facts) === "none",
  );
  const by = alone ? `transition ${alone[0]}, "${conditionText(alone[1].condition)}",` : "those before it together";
  return {
    code: "shadowed-transition",
    severity: "warning",
    path: ["nodes", id, "transitions", index],
    message: `"${conditionText(condition)}" is never taken: ${by} always ${alone ? "comes" : "come"} first`,
    hint: "Move it up, or remove it",
  };
}

function overlaps(
  id: string,
  [index, transition]: Numbered,
  earlier: readonly Numbered[],
  facts: ValueFacts,
): readonly Finding[] {
  const here = holding(transition.condition);
  const names = [...lefts(here)].sort().join("\n");
  for (const [place, other] of earlier) {
    const there = holding(other.condition);
    if (other.target_node_id === transition.target_node_id || [...lefts(there)].sort().join("\n") !== names) continue;
    const both = satisfy([...there, ...here], facts);
    if (typeof both === "string") continue;
    if (satisfy([...there, ...failing(transition.condition)], facts) === "none") continue; // a special case comes first
    const message = `"${conditionText(other.condition)}" and "${conditionText(transition.condition)}" can both hold, such as with ${valuesText(lefts(here), both)}; the first is taken`;
    return [
      {
        code: "overlapping-transitions",
        severity: "info",
        path: ["nodes", id, "transitions", index],
        message,
        hint: `Make them exclude each other, if transition ${place} should not come first there`,
        witness: { variables: Object.fromEntries(both) },
      },
    ];
  }
  return [];
}

/** Findings for variables that are read too early or never, and for snippets that are not used or not expanded. */
export function variableFindings(graph: AgentGraph): Finding[] {
  return [...readTooEarly(graph), ...neverRead(graph), ...nestedSnippets(graph), ...unusedSnippets(graph)];
}

/** Variables that nodes fill, and that no default gives a value. */
function filledVariables(graph: AgentGraph): readonly string[] {
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  const names = new Set(Object.values(graph.nodes).flatMap(variablesSetBy));
  return [...names].filter((name) => !Object.hasOwn(defaults, name));
}

function readTooEarly(graph: AgentGraph): readonly Finding[] {
  const variables = filledVariables(graph);
  if (variables.length === 0) return [];
  const filled = new Set(variables);
  const flow = variableFlow(graph, variables);
  return Object.entries(graph.nodes).flatMap(([id, node]) => {
    const found = (path: Path, names: readonly string[], isSet: (id: string, name: string) => boolean) =>
      [...new Set(names)]
        .filter((name) => filled.has(name) && !isSet(id, name))
        .map((name) => tooEarly(path, name, id));
    return [
      ...found(["nodes", id, "state_prompt"], readIn(node.state_prompt, graph), flow.before),
      ...conditionsOf(id, node).flatMap(([path, { type, value, equations }]) => {
        if (type === "llm_prompt") return found(path, readIn(value, graph), flow.after);
        const compared = (equations ?? []).filter(({ operator }) => !isUnary(operator));
        return found(
          path,
          compared.flatMap((clause) => [bareName(clause.left), ...placeholdersIn(rightOf(clause).text)]),
          flow.after,
        );
      }),
    ];
  });
}

/** Variables that a text reads, in its snippets too. */
function readIn(text: string, graph: AgentGraph): readonly string[] {
  if (!text.includes("{")) return [];
  return [text, ...snippetsIn(text).map((name) => own(graph.snippets, name) ?? "")].flatMap(placeholdersIn);
}

function tooEarly(path: Path, name: string, id: string): Finding {
  const message = `node "${id}" reads "${name}" before any path can have set it`;
  const hint = `Move the node behind one that sets "${name}", or give "${name}" to every call`;
  return { code: "unset-variable", severity: "warning", path, message, hint };
}

/**
 * Variables that are set but never read. A node that asks the model for a tool's arguments passes it every variable, so
 * it counts as reading them all.
 */
function neverRead(graph: AgentGraph): readonly Finding[] {
  const nodes = Object.entries(graph.nodes);
  if (nodes.some(([, node]) => asksForArguments(node))) return [];
  const read = new Set<string>();
  for (const text of allTexts([graph.source_metadata, graph.snippets, graph.nodes])) {
    if (!text.includes("{{")) continue;
    // a variable of the graph may have the name of a platform's own, such as `day`
    for (const content of placeholderContents(text)) {
      const name = placeholderName(content);
      read.add(name).add(rootName(name));
    }
  }
  for (const [id, node] of nodes)
    for (const [, { equations }] of conditionsOf(id, node))
      for (const { left } of equations ?? []) read.add(bareName(left));
  const seen = new Set(read);
  const declared = new Set((definitionOf(graph)?.variables ?? []).map(({ name }) => name));
  return nodes.flatMap(([id, { variables_to_extract: variables }]) =>
    variables.flatMap(({ name }, index): Finding[] => {
      if (seen.has(name)) return [];
      seen.add(name);
      const message = `"${name}" is set${declared.has(name) ? "" : ` at node "${id}"`} and never read`;
      const hint = "Use it in a prompt or an equation, or remove it; keep it if scenarios or reports read it";
      const path = ["nodes", id, "variables_to_extract", index];
      return [{ code: "unused-variable", severity: "info", path, message, hint }];
    }),
  );
}

function asksForArguments({ node_type: type, tools }: AgentNode): boolean {
  const properties = tools[0]?.parameters?.properties;
  return type === "function" && isRecord(properties) && Object.keys(properties).length > 0;
}

function nestedSnippets(graph: AgentGraph): readonly Finding[] {
  return Object.entries(graph.snippets).flatMap(([name, text]) =>
    snippetsIn(text)
      .filter((inner) => Object.hasOwn(graph.snippets, inner))
      .map((inner): Finding => {
        const message = `snippet "${name}" contains {%${inner}%}, which is not expanded within a snippet`;
        const hint = `Write the text of "${inner}" into it`;
        return { code: "nested-snippet", severity: "warning", path: ["snippets", name], message, hint };
      }),
  );
}

function unusedSnippets(graph: AgentGraph): readonly Finding[] {
  const used = new Set<string>();
  for (const [, text] of textsOf(graph)) if (text.includes("{%")) for (const name of snippetsIn(text)) used.add(name);
  for (const text of allTexts(graph.nodes))
    if (text.includes("{%")) for (const name of snippetsIn(text)) used.add(name);
  return Object.keys(graph.snippets).flatMap((name): Finding[] => {
    if (used.has(name)) return [];
    const message = `no text uses snippet "${name}"`;
    return [
      { code: "unused-snippet", severity: "info", path: ["snippets", name], message, hint: "Use it or remove it" },
    ];
  });
}
