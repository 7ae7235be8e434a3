/** A mutant that behaves as the code does, so that no test can kill it. */
export interface Equivalent {
  readonly file: string;
  /** Text of the mutated code. */
  readonly code: string;
  readonly becomes: string;
  readonly reason: string;
}

/** `npm run mutate` leaves these out of the score, and says which of them no mutant matches any more. */
export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: "src/graph/parse.ts",
    code: "!head",
    becomes: "false",
    reason: "A document without issues has a head: the check is for the compiler.",
  },
  {
    file: "src/graph/parse.ts",
    code: '"a document without issues has a head"',
    becomes: '""',
    reason: "Never thrown: a document without issues has a head.",
  },
  {
    file: "src/graph/parse.ts",
    code: "issue.path?.at(-1)?.input",
    becomes: "issue.path?.at(-1).input",
    reason: "Issues of missing keys always have a path.",
  },
  {
    file: "src/graph/parse.ts",
    code: "issue.path?.at",
    becomes: "issue.path.at",
    reason: "Issues of missing keys always have a path.",
  },
  {
    file: "src/graph/parse.ts",
    code: 'typeof key === "number"',
    becomes: "true",
    reason: "Keys of JSON are texts or numbers: both stay as they are.",
  },
  {
    file: "src/graph/parse.ts",
    code: '"another value"',
    becomes: '""',
    reason: "Every schema here says what it expects.",
  },
  {
    file: "src/graph/save.ts",
    code: "schema === undefined",
    becomes: "false",
    reason: "JSON leaves out a $schema that is undefined.",
  },
  {
    file: "src/graph/schema.ts",
    code: '{ target: "draft-07" }',
    becomes: "{}",
    reason: "Draft 7 is the library's default.",
  },
  {
    file: "src/graph/to_graph.ts",
    code: "own(graph.nodes, graph.entry_node_id)",
    becomes: "false",
    reason: "A shortcut: a graph that has its entry has no such issue.",
  },
  {
    file: "src/judges/evidence.ts",
    code: "from < to",
    becomes: "true",
    reason: "There is no mark behind the end of a text, where the loop stops by itself.",
  },
  {
    file: "src/judges/evidence.ts",
    code: "from < to",
    becomes: "from <= to",
    reason: "There is no mark behind the end of a text, where the loop stops by itself.",
  },
  {
    file: "src/judges/evidence.ts",
    code: "to > from",
    becomes: "true",
    reason: "Nothing but marks is left either way: the text is empty.",
  },
  {
    file: "src/judges/evidence.ts",
    code: "to > from",
    becomes: "to >= from",
    reason: "Nothing but marks is left either way: the text is empty.",
  },
  {
    file: "src/judges/metric.ts",
    code: "!found",
    becomes: "false",
    reason: "The signature refuses such an answer: the check is for the compiler.",
  },
  {
    file: "src/judges/metric.ts",
    code: '"the judge signature lets no answer through that leaves a criterion out',
    becomes: '""',
    reason: "Never thrown: the signature refuses such an answer.",
  },
  {
    file: "src/judges/rule.ts",
    code: "turns.at(-1)?.push",
    becomes: "turns.at(-1).push",
    reason: "The list is never empty: the check is for the compiler.",
  },
  {
    file: "src/judges/text_search.ts",
    code: "needle.length < SHORT",
    becomes: "true",
    reason: "Both searches find the same; the choice is one of speed.",
  },
  {
    file: "src/judges/text_search.ts",
    code: "needle.length < SHORT",
    becomes: "false",
    reason: "Both searches find the same; the choice is one of speed.",
  },
  {
    file: "src/judges/text_search.ts",
    code: "needle.length < SHORT",
    becomes: "needle.length <= SHORT",
    reason: "Both searches find the same; the choice is one of speed.",
  },
  {
    file: "src/judges/text_search.ts",
    code: "needle.length < SHORT",
    becomes: "needle.length >= SHORT",
    reason: "Both searches find the same; the choice is one of speed.",
  },
  {
    file: "src/judges/text_search.ts",
    code: "at < text.length",
    becomes: "at <= text.length",
    reason: "No character is behind the end: nothing matches there.",
  },
  {
    file: "src/judges/text_search.ts",
    code: "at < needle.length",
    becomes: "at <= needle.length",
    reason: "A typed array ignores what is written behind its end.",
  },
  {
    file: "src/engine/decide.ts",
    code: "!state.calls.around",
    becomes: "false",
    reason: "Requests the reply a moment later: only the order of two concurrent requests differs.",
  },
  {
    file: "src/engine/decide.ts",
    code: "() => false",
    becomes: "() => undefined",
    reason: "Both are falsy.",
  },
  {
    file: "src/engine/decide.ts",
    code: "next && canSpeakNext(next)",
    becomes: "true",
    reason: "There is always a next node, and a reply for a silent node is dropped by the move that leaves it.",
  },
  {
    file: "src/engine/decide.ts",
    code: "next && canSpeakNext(next)",
    becomes: "next || canSpeakNext(next)",
    reason: "There is always a next node, and a reply for a silent node is dropped by the move that leaves it.",
  },
  {
    file: "platforms/lower/busy.ts",
    code: '""',
    becomes: '"Stryker was here!"',
    reason: "The stack is never empty there: the text is for the compiler.",
  },
  {
    file: "platforms/lower/busy.ts",
    code: "[]",
    becomes: '["Stryker was here"]',
    reason: "A node that speaks counts once, whatever its targets are.",
  },
  {
    file: "platforms/lower/busy.ts",
    code: "waiting.length > 0",
    becomes: "true",
    reason: "A node without open targets is met once more, and counted then.",
  },
  {
    file: "platforms/lower/busy.ts",
    code: "waiting.length > 0",
    becomes: "waiting.length >= 0",
    reason: "A node without open targets is met once more, and counted then.",
  },
  {
    file: "platforms/lower/busy.ts",
    code: "targets.filter((target) => !counts.has(target))",
    becomes: "targets",
    reason: "A target with a count is passed over when it is met again.",
  },
  {
    file: "platforms/lower/busy.ts",
    code: "isSilent(node) && !promoted.has(id)",
    becomes: "true",
    reason: "A node that speaks or was promoted counts once where it is read too.",
  },
  {
    file: "platforms/lower/busy.ts",
    code: "isSilent(node) && !promoted.has(id)",
    becomes: "isSilent(node) || !promoted.has(id)",
    reason: "A node that speaks or was promoted counts once where it is read too.",
  },
  {
    file: "platforms/lower/contract_chains.ts",
    code: "!first || !last",
    becomes: "false",
    reason: "A chain has nodes: the check is for the compiler.",
  },
  {
    file: "platforms/lower/contract_chains.ts",
    code: "!first || !last",
    becomes: "!first && !last",
    reason: "A chain has nodes: the check is for the compiler.",
  },
  {
    file: "platforms/lower/contract_chains.ts",
    code: '"a chain has nodes"',
    becomes: '""',
    reason: "Never thrown: a chain has nodes.",
  },
  {
    file: "platforms/lower/contract_chains.ts",
    code: "sources.get(target.id)?.size",
    becomes: "sources.get(target.id).size",
    reason: "A target of a transition has a source: the check is for the compiler.",
  },
  {
    file: "src/expressions/snippet_uses.ts",
    code: "Object.keys(graph.snippets).length === 0",
    becomes: "false",
    reason: "A shortcut: a graph without snippets uses none.",
  },
  {
    file: "platforms/lower/multiply_globals.ts",
    code: "setting?.condition",
    becomes: "setting.condition",
    reason: "Global nodes have a setting: the check is for the compiler.",
  },
];
