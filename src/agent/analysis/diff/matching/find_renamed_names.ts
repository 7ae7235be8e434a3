import { omit } from "../../../../base/values/mod.ts";
import { placeholdersIn } from "../../../../document/expressions/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition, VariableExtraction } from "../../../../document/graph/mod.ts";
import { knownVariables, textsOf } from "../../facts/mod.ts";
import { comparisonKey } from "./same.ts";

/** Later names by earlier ones. */
export type RenamedNames = ReadonlyMap<string, string>;

/** The content of each name, as a text; a name with several contents has all of them. */
type Contents = ReadonlyMap<string, string>;

/** Finds renamed snippets: the old name exists only before, the new one only after, and both have the same text. */
export function renamedSnippets(before: AgentGraph, after: AgentGraph): RenamedNames {
  return renamedOf(new Map(Object.entries(before.snippets)), new Map(Object.entries(after.snippets)));
}

/** Finds tools that were renamed and do the same. The variables that they fill may have other names too. */
export function renamedTools(before: AgentGraph, after: AgentGraph): RenamedNames {
  return renamedOf(toolsOf(before), toolsOf(after));
}

function toolsOf({ nodes }: AgentGraph): Contents {
  const found = new Map<string, Set<string>>();
  for (const tool of Object.values(nodes).flatMap((node) => node.tools)) {
    const paths = Object.values(tool.response_variables ?? {}).sort();
    const content = comparisonKey({ ...omit({ ...tool }, ["name", "response_variables"]), paths });
    found.set(tool.name, (found.get(tool.name) ?? new Set()).add(content));
  }
  return new Map([...found].map(([name, all]) => [name, [...all].sort().join("\n")]));
}

function renamedOf(before: Contents, after: Contents): RenamedNames {
  const missingIn = (one: Contents, other: Contents) => new Map([...one].filter(([name]) => !other.has(name)));
  return pairedOnce(missingIn(before, after), missingIn(after, before));
}

/** Pairs names whose content is the same, where no third name has it. */
function pairedOnce(gone: Contents, added: Contents): RenamedNames {
  const later = namesByContent(added);
  return new Map(
    [...namesByContent(gone)].flatMap(([content, [from, ...others]]) => {
      const [to, ...more] = later.get(content) ?? [];
      return from !== undefined && to !== undefined && others.length + more.length === 0 ? [[from, to] as const] : [];
    }),
  );
}

function namesByContent(contents: Contents): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [name, content] of contents) {
    const names = found.get(content);
    if (names) names.push(name);
    else found.set(content, [name]);
  }
  return found;
}

/**
 * Finds variables that were renamed: the same node extracts them, or the same tool fills them, and no text of the later
 * version reads the earlier name.
 *
 * @param before With the ids of nodes and the names of tools of the later version.
 */
export function renamedVariables(before: AgentGraph, after: AgentGraph): RenamedNames {
  const [gone, added] = [missing(before, after), missing(after, before)];
  if (gone.size === 0 || added.size === 0) return new Map();
  const votes = new Map<string, Set<string>>();
  const vote = (one: Contents, other: Contents) => {
    const pairs = pairedOnce(only(one, gone), only(other, added));
    for (const [from, to] of pairs) votes.set(from, (votes.get(from) ?? new Set()).add(to));
  };
  for (const [id, node] of Object.entries(before.nodes)) {
    const later = Object.hasOwn(after.nodes, id) ? after.nodes[id] : undefined;
    if (!later) continue;
    vote(definitionsOf(node), definitionsOf(later));
    for (const tool of node.tools) {
      const match = later.tools.find(({ name }) => name === tool.name);
      if (match) vote(answersOf(tool), answersOf(match));
    }
  }
  const pairs = [...votes].flatMap(([from, [to, ...others]]) =>
    to !== undefined && others.length === 0 ? [[from, to] as const] : [],
  );
  return new Map(pairs.filter(([, to]) => pairs.filter(([, other]) => other === to).length === 1));
}

/** Names of variables that the first version declares and the other one neither declares nor reads. */
function missing(one: AgentGraph, other: AgentGraph): ReadonlySet<string> {
  const declared = [...knownVariables(one).keys()];
  const known = knownVariables(other);
  const open = declared.filter((name) => !known.has(name));
  if (open.length === 0) return new Set();
  const read = new Set(textsOf(other).flatMap(([, text]) => placeholdersIn(text)));
  return new Set(open.filter((name) => !read.has(name)));
}

function only(names: Contents, wanted: ReadonlySet<string>): Contents {
  return new Map([...names].filter(([name]) => wanted.has(name)));
}

function definitionsOf({ variables_to_extract: variables }: AgentNode): Contents {
  return new Map(variables.map((each: VariableExtraction) => [each.name, comparisonKey(omit({ ...each }, ["name"]))]));
}

function answersOf({ response_variables: variables }: ToolDefinition): Contents {
  return new Map(Object.entries(variables ?? {}).map(([name, path]) => [name, comparisonKey(path)]));
}
