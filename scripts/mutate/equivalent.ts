/** A mutant that behaves like the original code, so that no test can kill it. */
export interface Equivalent {
  readonly file: string;
  /** Text of the mutated code. */
  readonly code: string;
  readonly becomes: string;
  readonly reason: string;
}

/** `npm run mutate` leaves these out of the score, and lists entries that no longer match a mutant. */
export const EQUIVALENT: readonly Equivalent[] = [
  ...same("src/document/graph/parse.ts", "A document without issues has a head: the check is for the compiler.", [
    "!head",
    "false",
  ]),
  ...same("src/document/graph/parse.ts", "Never thrown: a document without issues has a head.", [
    '"unreachable: a document without issues has a head"',
    '""',
  ]),
  ...same(
    "src/document/graph/parse.ts",
    "Issues of missing keys always have a path.",
    ["issue.path?.at(-1)?.input", "issue.path?.at(-1).input"],
    ["issue.path?.at", "issue.path.at"],
  ),
  ...same("src/document/graph/parse.ts", "Keys of JSON are texts or numbers: both stay as they are.", [
    'typeof key === "number"',
    "true",
  ]),
  ...same("src/document/graph/parse.ts", "Every schema here says what it expects.", ['"another value"', '""']),
  ...same("src/document/graph/save.ts", "JSON leaves out a $schema that is undefined.", [
    "schema === undefined",
    "false",
  ]),
  ...same("src/document/graph/schema.ts", "Draft 7 is the library's default.", ['{ target: "draft-07" }', "{}"]),
  ...same("src/document/graph/to_graph.ts", "A shortcut: a graph that has its entry has no such issue.", [
    "own(graph.nodes, graph.entry_node_id)",
    "false",
  ]),
  ...same("src/document/expressions/snippet_uses.ts", "A shortcut: a graph without snippets uses none.", [
    "Object.keys(graph.snippets).length === 0",
    "false",
  ]),
  ...same("src/call/judges/audit/stated_facts.ts", "A single digit is no fact, whether it is found or not.", [
    String.raw`/\d(?:(?:[\d\s()/-]|\.(?!\s)|(?<=(?<!\d)\d{1,3}),(?=\d{3}(?!\d))){0,40}\d)?/g`,
    String.raw`/\d(?:(?:[\d\s()/-]|\.(?!\s)|(?<=(?<!\d)\d{1,3}),(?=\d{3}(?!\d))){0,40}\d)/g`,
  ]),
  ...same(
    "src/call/judges/evidence.ts",
    "There is no mark behind the end of a text, where the loop stops by itself.",
    ["from < to", "true"],
    ["from < to", "from <= to"],
  ),
  ...same(
    "src/call/judges/evidence.ts",
    "Nothing but marks is left either way: the text is empty.",
    ["to > from", "true"],
    ["to > from", "to >= from"],
  ),
  ...same("src/call/judges/flow_judge/flow_input.ts", "A node at which the call had a choice is in the graph.", [
    "[]",
    '["Stryker was here"]',
  ]),
  ...same(
    "src/call/judges/flow_judge/flow_input.ts",
    "Parsed graphs have these settings and texts, empty ones included: the checks are for the compiler.",
    ["setting?.condition", "setting.condition"],
    ['""', '"Stryker was here!"'],
  ),
  ...same(
    "src/call/judges/flow_judge/judge_flow.ts",
    "The signature refuses such an answer: the check is for the compiler.",
    ["!found", "false"],
  ),
  ...same("src/call/judges/flow_judge/judge_flow.ts", "Never thrown: the signature refuses such an answer.", [
    '"unreachable: the flow signature rejects answers without a step"',
    '""',
  ]),
  ...same("src/call/judges/flow_judge/path_steps.ts", "A text has none of the keys that are read of a step.", [
    "[]",
    '["Stryker was here"]',
  ]),
  ...same("src/call/judges/flow_judge/path_steps.ts", "The settings of a global node always have the list.", [
    "node.global_node_setting?.go_back_conditions?.length",
    "node.global_node_setting?.go_back_conditions.length",
  ]),
  ...same("src/call/judges/flow_judge/path_steps.ts", "No target is undefined: the check is for the compiler.", [
    "none !== undefined",
    "true",
  ]),
  ...same("src/call/judges/metric.ts", "The signature refuses such an answer: the check is for the compiler.", [
    "!found",
    "false",
  ]),
  ...same("src/call/judges/metric.ts", "Never thrown: the signature refuses such an answer.", [
    '"unreachable: the judge signature rejects answers without a criterion"',
    '""',
  ]),
  ...same("src/call/judges/rule.ts", "The list is never empty: the check is for the compiler.", [
    "turns.at(-1)?.push",
    "turns.at(-1).push",
  ]),
  ...same(
    "src/call/judges/text_search.ts",
    "Both searches find the same; the choice is one of speed.",
    ["needle.length < SHORT", "true"],
    ["needle.length < SHORT", "false"],
    ["needle.length < SHORT", "needle.length <= SHORT"],
    ["needle.length < SHORT", "needle.length >= SHORT"],
  ),
  ...same("src/call/judges/text_search.ts", "No character is behind the end: nothing matches there.", [
    "at < text.length",
    "at <= text.length",
  ]),
  ...same("src/call/judges/text_search.ts", "A typed array ignores what is written behind its end.", [
    "at < needle.length",
    "at <= needle.length",
  ]),
  ...same(
    "src/call/turn/arguments_check.ts",
    "ajv lists errors whenever arguments do not match: the check is for the compiler.",
    ["[]", '["Stryker was here"]'],
  ),
  ...same("src/call/turn/arguments_check.ts", "Every error of ajv has a message.", ['"is wrong"', '""']),
  ...same(
    "src/call/turn/arguments_check.ts",
    "Only `validateFormats` survives: no formats are loaded, and unknown ones are ignored.",
    ["false", "true"],
  ),
  ...same(
    "src/call/turn/arguments_check.ts",
    "A shortcut: a schema with nothing but a dialect accepts everything.",
    ['keyword !== "$schema"', "true"],
    ['"$schema"', '""'],
  ),
  ...same(
    "src/call/turn/budget.ts",
    "No number is greater than or equal to `undefined`: the check is for the compiler.",
    ["limit !== undefined", "true"],
  ),
  ...same("src/call/turn/run_turn.ts", "The list is read only when the reply has tool calls.", [
    "[]",
    '["Stryker was here"]',
  ]),
  ...same("src/call/turn/live_tool.ts", "A tool that is called by URL has one: the text is for the compiler.", [
    '""',
    '"Stryker was here!"',
  ]),
  ...same(
    "src/call/turn/live_tool.ts",
    "A host name has brackets only at its ends.",
    ["/^\\[|\\]$/g", "/\\[|\\]$/g"],
    ["/^\\[|\\]$/g", "/^\\[|\\]/g"],
  ),
  ...same(
    "src/call/turn/live_tool.ts",
    "Node throws while it reads a response that was cut off; the check is for runtimes that end it.",
    ["!response.complete", "false"],
    ['"its response was cut off"', '""'],
  ),
  ...same("src/call/turn/live_tool.ts", "A response that is read has no status below 200.", ["status >= 200", "true"]),
  ...same(
    "src/call/turn/pinned_request.ts",
    "A host has an address: the check is for the compiler.",
    ["first?.address", "first.address"],
    ["first?.family", "first.family"],
  ),
  ...same("src/call/turn/pinned_request.ts", "A host has an address: the text is for the compiler.", [
    '""',
    '"Stryker was here!"',
  ]),
  ...same("src/call/turn/pinned_request.ts", "A signal aborts once.", ["{ once: true }", "{}"], ["true", "false"]),
  ...same("src/call/turn/steering.ts", "Every mode but `one` delivers all messages.", ['"all"', '""']),
  ...same(
    "src/call/turn/tool_answer.ts",
    "The model sees the message and the hint of this error, not its code and path.",
    ['"tool-failed"', '""'],
    ['"unmocked-tool"', '""'],
    ['"unrecorded-tool"', '""'],
    ["[name]", "[]"],
  ),
  ...same(
    "src/call/engine/call/parse_snapshot.ts",
    "A value that the schema refuses has an issue, and the issue has a path.",
    ["[]", '["Stryker was here"]'],
  ),
  ...same("src/call/engine/call/parse_snapshot.ts", "Keys of JSON are texts or numbers: both stay as they are.", [
    'typeof key === "number"',
    "true",
  ]),
  ...same(
    "src/call/engine/options/option_rules.ts",
    "Never shown: the rule around it says what is needed, or accepts everything.",
    ['""', '"Stryker was here!"'],
    ['"a model"', '""'],
    ['"a snapshot, as snapshot() returns it"', '""'],
  ),
  ...same(
    "src/call/engine/decisions/decision_record.ts",
    "No node has that name, so the pick is none of the offers either way.",
    ["[]", '["Stryker was here"]'],
  ),
  ...same(
    "src/call/engine/decisions/decision_record.ts",
    "Without an originator there are no go-back conditions: the text is for the compiler.",
    ['""', '"Stryker was here!"'],
  ),
  ...same(
    "src/call/engine/decisions/decision_record.ts",
    "An equation has a list of clauses: the check is for the compiler.",
    ["equations?.map", "equations.map"],
  ),
  ...same("src/call/engine/walk/silent_work.ts", "A condition without clauses does not hold.", [
    'condition.type === "equation"',
    "true",
  ]),
  ...same("src/call/engine/walk/silent_work.ts", "Ending a call aborts its requests, so that no decision comes back.", [
    "!state.endReason",
    "true",
  ]),
  ...same("src/call/engine/walk/silent_work.ts", "Without a reason nothing ends.", ["ending", "true"]),
  ...same(
    "src/call/engine/walk/walk.ts",
    "Once the call has ended, nothing moves or ends it again.",
    ["state.endReason", "false"],
    ["false", "true"],
  ),
  ...same("src/call/engine/decisions/move.ts", "Once the call has ended, nothing moves or ends it again.", [
    "false",
    "true",
  ]),
  ...same(
    "src/call/engine/decisions/decide.ts",
    "Requests the reply a moment later: only the order of two concurrent requests differs.",
    ["!state.calls.around", "false"],
  ),
  ...same("src/call/engine/decisions/decide.ts", "Both are falsy.", ["() => false", "() => undefined"]),
  ...same(
    "src/call/engine/decisions/decide.ts",
    "There is always a next node, and a reply for a silent node is dropped by the move that leaves it.",
    ["next && canSpeakNext(next)", "true"],
    ["next && canSpeakNext(next)", "next || canSpeakNext(next)"],
  ),
  ...same("platforms/lens/put_back.ts", "A shortcut: an unchanged document is edited to the same text.", [
    "config === document",
    "false",
  ]),
  ...same(
    "platforms/lens/references.ts",
    "A shortcut: without references or changes, no renamed item is found.",
    ["found.length > 0 && !sameJson(base, mine)", "true"],
    ["found.length > 0 && !sameJson(base, mine)", "found.length > 0 || !sameJson(base, mine)"],
    ["found.length > 0", "true"],
    ["found.length > 0", "found.length >= 0"],
  ),
  ...same(
    "platforms/lens/references.ts",
    "A new item has no earlier item: there is no name and nothing inside it to compare.",
    ["match === undefined", "false"],
    ["match !== undefined", "true"],
  ),
  ...same(
    "platforms/lens/references.ts",
    "A name that an item keeps is taken, and a missing name replaces nothing.",
    ["old !== now", "true"],
    ["now !== undefined", "true"],
  ),
  ...same("platforms/lower/busy.ts", "The stack is never empty there: the text is for the compiler.", [
    '""',
    '"Stryker was here!"',
  ]),
  ...same("platforms/lower/busy.ts", "A node that speaks counts once, whatever its targets are.", [
    "[]",
    '["Stryker was here"]',
  ]),
  ...same(
    "platforms/lower/busy.ts",
    "A node without open targets is met once more, and counted then.",
    ["waiting.length > 0", "true"],
    ["waiting.length > 0", "waiting.length >= 0"],
  ),
  ...same("platforms/lower/busy.ts", "A target with a count is passed over when it is met again.", [
    "targets.filter((target) => !counts.has(target))",
    "targets",
  ]),
  ...same(
    "platforms/lower/busy.ts",
    "A node that speaks or was promoted counts once where it is read too.",
    ["isSilent(node) && !promoted.has(id)", "true"],
    ["isSilent(node) && !promoted.has(id)", "isSilent(node) || !promoted.has(id)"],
  ),
  ...same(
    "platforms/lower/contract_chains.ts",
    "A chain has nodes: the check is for the compiler.",
    ["!first || !last", "false"],
    ["!first || !last", "!first && !last"],
  ),
  ...same("platforms/lower/contract_chains.ts", "Never thrown: a chain has nodes.", ['"a chain has nodes"', '""']),
  ...same(
    "platforms/lower/contract_chains.ts",
    "A target of a transition has a source: the check is for the compiler.",
    ["sources.get(target.id)?.size", "sources.get(target.id).size"],
  ),
  ...same("platforms/lower/multiply_globals.ts", "Global nodes have a setting: the check is for the compiler.", [
    "setting?.condition",
    "setting.condition",
  ]),
];

/** Mutants of one file that are equivalent for the same reason, each as code and replacement. */
function same(
  file: string,
  reason: string,
  ...mutants: readonly (readonly [code: string, becomes: string])[]
): Equivalent[] {
  return mutants.map(([code, becomes]) => ({ file, code, becomes, reason }));
}
