import { rightOf } from "../../../document/expressions/mod.ts";
import type { AgentNode, EquationClause, Finding, VariableExtraction } from "../../../document/graph/mod.ts";
import { type Assignment, type Formula, failing, leftOf, lefts, satisfy, type ValueFacts } from "../equations/mod.ts";
import { equationTransitions, valuesText } from "../facts/mod.ts";

/** Findings for silent nodes that have no transition for some calls: those calls stay there in silence. */
export function gapFindings(
  id: string,
  node: AgentNode,
  facts: ValueFacts,
  variables: ReadonlyMap<string, VariableExtraction>,
): readonly Finding[] {
  if (!canBeStuck(node)) return [];
  const open = equationTransitions(node).flatMap(([, { condition }]) => failing(condition));
  const values = satisfy(open, facts);
  if (values === "none") return [];
  const choices = unhandledChoices(open, facts, variables);
  return [choices ? unhandled(id, choices) : noElse(id, node, lefts(open), values)];
}

/** Silent nodes without an always transition. Where the model chooses, only logic nodes: it may choose none. */
function canBeStuck({ node_type: type, transitions }: AgentNode): boolean {
  const has = (wanted: string) => transitions.some(({ condition }) => condition.type === wanted);
  if (transitions.length === 0 || has("always")) return false;
  if (type === "logic") return true;
  if ((type !== "extract" && type !== "function") || has("llm_prompt")) return false;
  const outcomes = transitions.flatMap(({ condition }) =>
    condition.type === "tool_call" ? [condition.outcome ?? "either"] : [],
  );
  if (type === "function" && !has("equation")) return !covers(outcomes);
  return has("equation") && !covers(outcomes);
}

function covers(outcomes: readonly string[]): boolean {
  return outcomes.includes("either") || (outcomes.includes("succeeded") && outcomes.includes("failed"));
}

interface UnhandledChoices {
  readonly name: string;
  readonly choices: readonly string[];
}

/** The choices of an enum for which no equation of the node can hold, where other choices have one. */
function unhandledChoices(
  open: Formula,
  facts: ValueFacts,
  variables: ReadonlyMap<string, VariableExtraction>,
): UnhandledChoices | undefined {
  const clauses = open.flat().map(({ clause }) => clause);
  for (const name of lefts(open)) {
    const values = facts.get(name)?.values;
    if (!values || variables.get(name)?.type === "boolean") continue;
    const isChoice = (clause: EquationClause) => leftOf(clause) === name && clause.operator === "==";
    const rights = clauses.filter(isChoice).map(rightOf);
    const named = new Set(rights.flatMap(({ text, names }) => (names.length === 0 ? [text] : [])));
    const choices = values.filter((choice) => {
      const chosen = { clause: { left: name, operator: "==", right: choice }, holds: true };
      return named.size > 0 && !named.has(choice) && satisfy([...open, [chosen]], facts) !== "none";
    });
    if (choices.length > 0) return { name, choices };
  }
  return undefined;
}

function unhandled(id: string, { name, choices }: UnhandledChoices): Finding {
  const listed = choices.map((choice) => JSON.stringify(choice)).join(", ");
  return {
    code: "unhandled-choice",
    severity: "warning",
    path: ["nodes", id],
    message: `node "${id}" has no transition for ${name} = ${listed}`,
    hint: "Add a transition for it, or an always transition for everything else",
    witness: { variables: { [name]: choices[0] ?? "" } },
  };
}

function noElse(
  id: string,
  { node_type: type, transitions }: AgentNode,
  names: ReadonlySet<string>,
  values: Assignment | "unknown",
): Finding {
  const onTool = transitions.some(({ condition }) => condition.type === "tool_call");
  const such = values === "unknown" || names.size === 0 ? "" : `: no equation holds with ${valuesText(names, values)}`;
  return {
    code: "no-else",
    severity: "warning",
    path: ["nodes", id],
    message: `${type} node "${id}" has no always transition${onTool ? ", and none for one outcome of its tool" : such}`,
    hint: "Add one for calls that take no other transition",
    ...(values === "unknown" ? {} : { witness: { variables: Object.fromEntries(values) } }),
  };
}
