import { clauseVariables, placeholdersIn } from "../../document/expressions/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { CHAT_COMMANDS } from "./commands.ts";
import type { ChatSession } from "./session.ts";

/** Completes commands, node ids and names of variables. The second value is the part of the line that is replaced. */
export function completeLine(
  line: string,
  { graph, state }: Pick<ChatSession, "graph" | "state">,
): readonly [completions: readonly string[], part: string] {
  if (!line.startsWith("/")) return [[], line];
  const [, command, part = ""] = /^(\/\w+)\s+(.*)$/.exec(line) ?? [];
  if (command === undefined) {
    const names = CHAT_COMMANDS.map(({ name, usage }) => (usage === "" ? name : `${name} `));
    return [names.filter((name) => name.startsWith(line)), line];
  }
  if (command === "/goto") return [Object.keys(graph.nodes).filter((id) => id.startsWith(part)), part];
  if (command !== "/set" || /\s/.test(part)) return [[], line];
  const names = [...new Set([...Object.keys(state.variables), ...namesIn(graph)])];
  return [names.filter((name) => name.startsWith(part)).map((name) => `${name} `), part];
}

/** The variables that the graph's nodes extract, fill in or compare. */
function namesIn(graph: AgentGraph): readonly string[] {
  return Object.values(graph.nodes).flatMap((node) => [
    ...node.variables_to_extract.map(({ name }) => name),
    ...placeholdersIn(node.state_prompt),
    ...node.transitions.flatMap(({ condition }) => (condition.equations ?? []).flatMap(clauseVariables)),
  ]);
}
