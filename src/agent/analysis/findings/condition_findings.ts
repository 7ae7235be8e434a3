import type { Path } from "../../../base/errors.ts";
import { didYouMean, own } from "../../../base/values/mod.ts";
import {
  bareName,
  equationProblem,
  isDecimal,
  isKnownPlaceholder,
  isPlatformVariable,
  placeholdersIn,
  rightHint,
  rightOf,
  textOf,
} from "../../../document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  type EquationClause,
  type Finding,
  isUnary,
  type TransitionCondition,
  type VariableExtraction,
} from "../../../document/graph/mod.ts";
import {
  type Assignment,
  type Formula,
  failing,
  holding,
  leftOf,
  lefts,
  satisfy,
  type ValueFacts,
} from "../equations/mod.ts";
import {
  conditionsOf,
  conditionText,
  equationTransitions,
  knownVariables,
  textsOf,
  valueFacts,
  valuesText,
  wholeClauseText,
} from "../facts/mod.ts";
import { orderFindings } from "./variable_findings.ts";

/** Findings for equations that cannot hold, hide each other, overlap, or leave cases open. The decision is exact. */
export function equationFindings(graph: AgentGraph): Finding[] {
  const facts = valueFacts(graph);
  const variables = knownVariables(graph);
  return Object.entries(graph.nodes).flatMap(([id, node]) => {
    const dead = new Set<TransitionCondition>();
    return [
      ...conditionsOf(id, node).flatMap(([path, condition]) => {
        const found = neverTrue(path, condition, facts, variables);
        if (found.length > 0 || hasProblem(condition, variables)) dead.add(condition);
        return [...found, ...unreadable(path, condition, graph)];
      }),
      ...orderFindings(id, node, facts, dead),
      ...gapFindings(id, node, facts, variables),
    ];
  });
}

function hasProblem({ equations }: TransitionCondition, variables: ReadonlyMap<string, VariableExtraction>): boolean {
  return (equations ?? []).some((clause) => equationProblem(clause, variables));
}

function neverTrue(
  path: Path,
  condition: TransitionCondition,
  facts: ValueFacts,
  variables: ReadonlyMap<string, VariableExtraction>,
): readonly Finding[] {
  const { type, equations } = condition;
  if (type !== "equation" || !equations || equations.length === 0 || hasProblem(condition, variables)) return [];
  const alone = equations.flatMap((clause, index): Finding[] => {
    if (satisfy([[{ clause, holds: true }]], facts) !== "none") return [];
    const message = `"${wholeClauseText(clause)}" is never true: ${whyNever(clause, facts)}`;
    return [never([...path, "equations", index], message)];
  });
  if (alone.length > 0 || equations.length === 1 || satisfy(holding(condition), facts) !== "none") return alone;
  return [never(path, `"${conditionText(condition)}" is never true: its parts exclude each other`)];
}

function never(path: Path, message: string): Finding {
  return {
    code: "never-true",
    severity: "warning",
    path,
    message,
    hint: "Correct the equation, or remove the transition",
  };
}

function whyNever(clause: EquationClause, facts: ValueFacts): string {
  const values = facts.get(leftOf(clause))?.values;
  if (values) return `"${leftOf(clause)}" is one of ${values.map((each) => JSON.stringify(each)).join(", ")}`;
  return facts.get(leftOf(clause))?.kind === "number" ? `"${leftOf(clause)}" is a number` : "no value fits";
}

/** Order comparisons of a variable whose default is not a number, such as "1,200". */
function unreadable(path: Path, { type, equations }: TransitionCondition, graph: AgentGraph): readonly Finding[] {
  if (type !== "equation") return [];
  const defaults = graph.source_metadata.default_dynamic_variables ?? {};
  return (equations ?? []).flatMap((clause, index): Finding[] => {
    if (!/^[<>]=?$/.test(clause.operator)) return [];
    const name = [leftOf(clause), rightOf(clause).variable ?? ""].find((each) => {
      const text = textOf(own(defaults, each));
      return text !== undefined && text.trim() !== "" && !isDecimal(text);
    });
    if (name === undefined) return [];
    const message = `"${wholeClauseText(clause)}" is false for the default of "${name}": ${JSON.stringify(textOf(own(defaults, name)))} is not a number`;
    const hint = "Write the default with digits and a decimal point only";
    return [{ code: "unreadable-number", severity: "warning", path: [...path, "equations", index], message, hint }];
  });
}

/** Findings for empty conditions, and for equations that can never work. */
export function conditionFindings(graph: AgentGraph): Finding[] {
  const variables = knownVariables(graph);
  const names = namesIn(graph, variables);
  return Object.entries(graph.nodes).flatMap(([id, node]) =>
    conditionsOf(id, node).flatMap(([path, condition]): Finding[] => {
      if (isEmpty(condition)) return [emptyCondition(path)];
      return (condition.equations ?? []).flatMap((clause, index): Finding[] => {
        const at = [...path, "equations", index];
        return [...clauseProblem(clause, at, variables, names), ...unknownVariables(clause, at, variables)];
      });
    }),
  );
}

/** Reports an equation that is never true, or never false; only the cause if its right side was meant as a variable. */
function clauseProblem(
  clause: EquationClause,
  path: Path,
  variables: ReadonlyMap<string, VariableExtraction>,
  names: ReadonlySet<string>,
): readonly Finding[] {
  const { right, operator } = clause;
  const problem = equationProblem(clause, variables);
  const found: Finding[] = problem ? [{ ...problem, severity: "error", path }] : [];
  if (typeof right !== "string" || isUnary(operator) || !names.has(right)) return found;
  const isCause = problem !== undefined && !equationProblem({ ...clause, right: `{{${right}}}` }, variables);
  const isChoice = variables.get(bareName(clause.left))?.choices?.includes(right) === true;
  const message = `${wholeClauseText(clause)} compares with the text "${right}", not with the variable of that name; voicetest and tools like it compare with the variable`;
  const hint = isChoice ? `Rename variable "${right}" if such a tool runs this agent too` : rightHint(right);
  const severity = isCause ? "error" : isChoice ? "info" : "warning";
  return [...(isCause ? [] : found), { code: "right-names-variable", severity, path, message, hint }];
}

/** Names that stand for variables somewhere in a graph: filled, given, compared or read by a text. */
function namesIn(graph: AgentGraph, variables: ReadonlyMap<string, VariableExtraction>): ReadonlySet<string> {
  const compared = Object.entries(graph.nodes).flatMap(([id, node]) =>
    conditionsOf(id, node).flatMap(([, { equations }]) => (equations ?? []).map(({ left }) => bareName(left))),
  );
  return new Set([...variables.keys(), ...compared, ...textsOf(graph).flatMap(([, text]) => placeholdersIn(text))]);
}

function unknownVariables(
  clause: EquationClause,
  path: Path,
  variables: ReadonlyMap<string, VariableExtraction>,
): readonly Finding[] {
  const left = bareName(clause.left);
  const others = placeholdersIn(rightOf(clause).text).filter((name) => !isKnownPlaceholder(name, variables));
  const unknown = variables.has(left) || isPlatformVariable(left) ? others : [left, ...others];
  return [...new Set(unknown)].map((name) => {
    const hint = didYouMean(name, variables.keys(), `Give "${name}" to every call, or extract it first`);
    const message = `nothing in the graph fills "${name}", which an equation compares`;
    return { code: "unknown-variable", severity: "warning", path, message, hint };
  });
}

function isEmpty({ type, value, equations }: TransitionCondition): boolean {
  if (type === "llm_prompt") return value.trim() === "";
  return type === "equation" && (equations ?? []).length === 0;
}

function emptyCondition(path: Path): Finding {
  return {
    code: "empty-condition",
    severity: "warning",
    path,
    message: "the condition is empty, so the model decides at random",
    hint: "Write when it applies, or make it an always transition",
  };
}

/** Findings for silent nodes that have no transition for some calls: those calls stay there in silence. */
function gapFindings(
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
