/** A mutant that behaves like the original code, so that no test can kill it. */
export interface Equivalent {
  readonly file: string;
  /** The functions, classes and constants of the file that contain it. Elsewhere in the file, the same code may count. */
  readonly within: readonly string[];
  /** Text of the mutated code. */
  readonly code: string;
  readonly becomes: string;
  readonly reason: string;
}

/** `npm run mutate` leaves these out of the score, and lists entries that no longer match a mutant. */
export const EQUIVALENT: readonly Equivalent[] = [
  ...same(
    "src/document/graph/parse.ts",
    ["parseGraph"],
    "A document without issues has a head: the check is for the compiler.",
    ["!head", "false"],
  ),
  ...same("src/document/graph/parse.ts", ["parseGraph"], "Never thrown: a document without issues has a head.", [
    '"unreachable: a document without issues has a head"',
    '""',
  ]),
  ...same(
    "src/document/graph/parse.ts",
    ["hintForMissing"],
    "Issues of missing keys always have a path.",
    ["issue.path?.at(-1)?.input", "issue.path?.at(-1).input"],
    ["issue.path?.at", "issue.path.at"],
  ),
  ...same("src/document/graph/parse.ts", ["describe"], "Keys of JSON are texts or numbers: both stay as they are.", [
    'typeof key === "number"',
    "true",
  ]),
  ...same("src/document/graph/parse.ts", ["describe"], "Every schema here says what it expects.", [
    '"another value"',
    '""',
  ]),
  ...same("src/document/graph/parse.ts", ["formatGraph"], "JSON leaves out a $schema that is undefined.", [
    "schema === undefined",
    "false",
  ]),
  ...same("src/document/graph/schema.ts", ["graphJsonSchema"], "Draft 7 is the library's default.", [
    '{ target: "draft-07" }',
    "{}",
  ]),
  ...same("src/document/graph/parse.ts", ["checkEntry"], "A shortcut: a graph that has its entry has no such issue.", [
    "own(graph.nodes, graph.entry_node_id)",
    "false",
  ]),
  ...same("src/document/expressions/prompts.ts", ["snippetUses"], "A shortcut: a graph without snippets uses none.", [
    "Object.keys(graph.snippets).length === 0",
    "false",
  ]),
  ...same("src/call/judges/audit.ts", ["NUMBER"], "A single digit is no fact, whether it is found or not.", [
    String.raw`/\d(?:(?:[\d\s()/-]|\.(?!\s)|(?<=(?<!\d)\d{1,3}),(?=\d{3}(?!\d))){0,40}\d)?/g`,
    String.raw`/\d(?:(?:[\d\s()/-]|\.(?!\s)|(?<=(?<!\d)\d{1,3}),(?=\d{3}(?!\d))){0,40}\d)/g`,
  ]),
  ...same(
    "src/call/judges/evidence.ts",
    ["bare"],
    "There is no mark behind the end of a text, where the loop stops by itself.",
    ["from < to", "true"],
    ["from < to", "from <= to"],
  ),
  ...same(
    "src/call/judges/evidence.ts",
    ["bare"],
    "Nothing but marks is left either way: the text is empty.",
    ["to > from", "true"],
    ["to > from", "to >= from"],
  ),
  ...same(
    "src/call/judges/flow_judge.ts",
    ["flowInput", "callWithSteps", "waysBackTo", "judgedCondition"],
    "A node at which the call had a choice is in the graph.",
    ["[]", '["Stryker was here"]'],
  ),
  ...same(
    "src/call/judges/flow_judge.ts",
    ["flowInput", "judgedCondition"],
    "Parsed graphs have these settings and texts, empty ones included: the checks are for the compiler.",
    ["setting?.condition", "setting.condition"],
    ['""', '"Stryker was here!"'],
  ),
  ...same(
    "src/call/judges/flow_judge.ts",
    ["verdictOf"],
    "The signature refuses such an answer: the check is for the compiler.",
    ["!found", "false"],
  ),
  ...same("src/call/judges/flow_judge.ts", ["verdictOf"], "Never thrown: the signature refuses such an answer.", [
    '"unreachable: the flow signature rejects answers without a step"',
    '""',
  ]),
  ...same(
    "src/call/judges/flow_judge.ts",
    ["pathSteps", "moveOf"],
    "A text has none of the keys that are read of a step.",
    ["[]", '["Stryker was here"]'],
  ),
  ...same("src/call/judges/flow_judge.ts", ["othersAt"], "The settings of a global node always have the list.", [
    "node.global_node_setting?.go_back_conditions?.length",
    "node.global_node_setting?.go_back_conditions.length",
  ]),
  ...same("src/call/judges/flow_judge.ts", ["othersAt"], "No target is undefined: the check is for the compiler.", [
    "none !== undefined",
    "true",
  ]),
  ...same(
    "src/call/judges/metric.ts",
    ["judgeOnce"],
    "The signature refuses such an answer: the check is for the compiler.",
    ["!found", "false"],
  ),
  ...same("src/call/judges/metric.ts", ["judgeOnce"], "Never thrown: the signature refuses such an answer.", [
    '"unreachable: the judge signature rejects answers without a criterion"',
    '""',
  ]),
  ...same("src/call/judges/checks.ts", ["speeches"], "The list is never empty: the check is for the compiler.", [
    "turns.at(-1)?.push",
    "turns.at(-1).push",
  ]),
  ...same(
    "src/call/judges/evidence.ts",
    ["containsText"],
    "Both searches find the same; the choice is one of speed.",
    ["needle.length < SHORT", "true"],
    ["needle.length < SHORT", "false"],
    ["needle.length < SHORT", "needle.length <= SHORT"],
    ["needle.length < SHORT", "needle.length >= SHORT"],
  ),
  ...same("src/call/judges/evidence.ts", ["containsText"], "No character is behind the end: nothing matches there.", [
    "at < text.length",
    "at <= text.length",
  ]),
  ...same("src/call/judges/evidence.ts", ["fallbacksOf"], "A typed array ignores what is written behind its end.", [
    "at < needle.length",
    "at <= needle.length",
  ]),
  ...same(
    "src/call/turn/tool_answer.ts",
    ["checkArguments"],
    "ajv lists errors whenever arguments do not match: the check is for the compiler.",
    ["[]", '["Stryker was here"]'],
  ),
  ...same("src/call/turn/tool_answer.ts", ["checkArguments"], "Every error of ajv has a message.", [
    '"is wrong"',
    '""',
  ]),
  ...same(
    "src/call/turn/tool_answer.ts",
    ["compiled"],
    "Only `validateFormats` survives: no formats are loaded, and unknown ones are ignored.",
    ["false", "true"],
  ),
  ...same(
    "src/call/turn/tool_answer.ts",
    ["constrains"],
    "A shortcut: a schema with nothing but a dialect accepts everything.",
    ['keyword !== "$schema"', "true"],
    ['"$schema"', '""'],
  ),
  ...same(
    "src/call/turn/budget.ts",
    ["exceededLimit"],
    "No number is greater than or equal to `undefined`: the check is for the compiler.",
    ["limit !== undefined", "true"],
  ),
  ...same("src/call/turn/run_turn.ts", ["runTurn", "finish"], "The list is read only when the reply has tool calls.", [
    "[]",
    '["Stryker was here"]',
  ]),
  ...same(
    "src/call/turn/live_tool.ts",
    ["callLiveTool", "allowedAddresses"],
    "A tool that is called by URL has one: the text is for the compiler.",
    ['""', '"Stryker was here!"'],
  ),
  ...same(
    "src/call/turn/live_tool.ts",
    ["allowedAddresses"],
    "A host name has brackets only at its ends.",
    ["/^\\[|\\]$/g", "/\\[|\\]$/g"],
    ["/^\\[|\\]$/g", "/^\\[|\\]/g"],
  ),
  ...same(
    "src/call/turn/live_tool.ts",
    ["readAnswer"],
    "Node throws while it reads a response that was cut off; the check is for runtimes that end it.",
    ["!response.complete", "false"],
    ['"its response was cut off"', '""'],
  ),
  ...same("src/call/turn/live_tool.ts", ["readAnswer"], "A response that is read has no status below 200.", [
    "status >= 200",
    "true",
  ]),
  ...same(
    "src/call/turn/live_tool.ts",
    ["postPinned"],
    "A host has an address: the check is for the compiler.",
    ["first?.address", "first.address"],
    ["first?.family", "first.family"],
  ),
  ...same("src/call/turn/live_tool.ts", ["postPinned"], "A host has an address: the text is for the compiler.", [
    '""',
    '"Stryker was here!"',
  ]),
  ...same(
    "src/call/turn/live_tool.ts",
    ["postPinned"],
    "A signal aborts once.",
    ["{ once: true }", "{}"],
    ["true", "false"],
  ),
  ...same("src/call/turn/run_turn.ts", ["createSteeringQueue"], "Every mode but `one` delivers all messages.", [
    '"all"',
    '""',
  ]),
  ...same(
    "src/call/turn/tool_answer.ts",
    ["asJson", "unmocked", "unrecorded", "aborted"],
    "The model sees the message and the hint of this error, not its code and path.",
    ['"tool-failed"', '""'],
    ['"unmocked-tool"', '""'],
    ['"unrecorded-tool"', '""'],
    ["[name]", "[]"],
  ),
  ...same(
    "src/call/engine/call/snapshot.ts",
    ["parseSnapshot", "issueOf"],
    "A value that the schema refuses has an issue, and the issue has a path.",
    ["[]", '["Stryker was here"]'],
  ),
  ...same(
    "src/call/engine/call/snapshot.ts",
    ["issueOf"],
    "Keys of JSON are texts or numbers: both stay as they are.",
    ['typeof key === "number"', "true"],
  ),
  ...same(
    "src/call/engine/options/conversation_options.ts",
    ["REQUESTS", "SHARED_OPTIONS", "ANY_MODEL", "CONVERSATION_OPTIONS"],
    "Never shown: the rule around it says what is needed, or accepts everything.",
    ['""', '"Stryker was here!"'],
    ['"a model"', '""'],
    ['"a snapshot, as snapshot() returns it"', '""'],
  ),
  ...same(
    "src/call/engine/decisions.ts",
    ["recordNoPick", "recordNoEquation", "valuesOf"],
    "No node has that name, so the pick is none of the offers either way.",
    ["[]", '["Stryker was here"]'],
  ),
  ...same(
    "src/call/engine/decisions.ts",
    ["reasoningText", "recordNoPick", "recordNoEquation"],
    "Without an originator there are no go-back conditions: the text is for the compiler.",
    ['""', '"Stryker was here!"'],
  ),
  ...same("src/call/engine/walk.ts", ["routeSilently"], "A condition without clauses does not hold.", [
    'condition.type === "equation"',
    "true",
  ]),
  ...same(
    "src/call/engine/walk.ts",
    ["routeSilently"],
    "Ending a call aborts its requests, so that no decision comes back.",
    ["!state.endReason", "true"],
  ),
  ...same("src/call/engine/walk.ts", ["callNodeTool"], "Without a reason nothing ends.", ["ending", "true"]),
  ...same(
    "src/call/engine/walk.ts",
    ["walk", "leaveAfterSpeech", "takeEffect", "transferFails"],
    "Once the call has ended, nothing moves or ends it again.",
    ["state.endReason", "false"],
    ["false", "true"],
  ),
  ...same("src/call/engine/decisions.ts", ["moveTo"], "Once the call has ended, nothing moves or ends it again.", [
    "false",
    "true",
  ]),
  ...same(
    "src/call/engine/decisions.ts",
    ["decideAhead"],
    "Requests the reply a moment later: only the order of two concurrent requests differs.",
    ["!state.calls.around", "false"],
  ),
  ...same("src/call/engine/decisions.ts", ["decideAhead"], "Both are falsy.", ["() => false", "() => undefined"]),
  ...same(
    "src/call/engine/decisions.ts",
    ["decideAndSpeak"],
    "There is always a next node, and a reply for a silent node is dropped by the move that leaves it.",
    ["next && canSpeakNext(next)", "true"],
    ["next && canSpeakNext(next)", "next || canSpeakNext(next)"],
  ),
  ...same("platforms/lens/put_back.ts", ["putBack"], "A shortcut: an unchanged document is edited to the same text.", [
    "config === document",
    "false",
  ]),
  ...same(
    "platforms/lens/put_back.ts",
    ["renamedItems"],
    "A shortcut: without references or changes, no renamed item is found.",
    ["found.length > 0 && !sameJson(base, mine)", "true"],
    ["found.length > 0 && !sameJson(base, mine)", "found.length > 0 || !sameJson(base, mine)"],
    ["found.length > 0", "true"],
    ["found.length > 0", "found.length >= 0"],
  ),
  ...same(
    "platforms/lens/put_back.ts",
    ["renamedItems"],
    "A new item has no earlier item: there is no name and nothing inside it to compare.",
    ["match === undefined", "false"],
    ["match !== undefined", "true"],
  ),
  ...same(
    "platforms/lens/put_back.ts",
    ["renamedItems"],
    "A name that an item keeps is taken, and a missing name replaces nothing.",
    ["old !== now", "true"],
    ["now !== undefined", "true"],
  ),
  ...same("platforms/lower/pass.ts", ["promoteBusy"], "The stack is never empty there: the text is for the compiler.", [
    '""',
    '"Stryker was here!"',
  ]),
  ...same("platforms/lower/pass.ts", ["promoteBusy"], "A node that speaks counts once, whatever its targets are.", [
    "[]",
    '["Stryker was here"]',
  ]),
  ...same(
    "platforms/lower/pass.ts",
    ["promoteBusy"],
    "A node without open targets is met once more, and counted then.",
    ["waiting.length > 0", "true"],
    ["waiting.length > 0", "waiting.length >= 0"],
  ),
  ...same("platforms/lower/pass.ts", ["promoteBusy"], "A target with a count is passed over when it is met again.", [
    "targets.filter((target) => !counts.has(target))",
    "targets",
  ]),
  ...same(
    "platforms/lower/pass.ts",
    ["promoteBusy"],
    "A node that speaks or was promoted counts once where it is read too.",
    ["isSilent(node) && !promoted.has(id)", "true"],
    ["isSilent(node) && !promoted.has(id)", "isSilent(node) || !promoted.has(id)"],
  ),
  ...same(
    "platforms/lower/fold_logic.ts",
    ["joined"],
    "A chain has nodes: the check is for the compiler.",
    ["!first || !last", "false"],
    ["!first || !last", "!first && !last"],
  ),
  ...same("platforms/lower/fold_logic.ts", ["joined"], "Never thrown: a chain has nodes.", [
    '"a chain has nodes"',
    '""',
  ]),
  ...same(
    "platforms/lower/fold_logic.ts",
    ["chainsOf"],
    "A target of a transition has a source: the check is for the compiler.",
    ["sources.get(target.id)?.size", "sources.get(target.id).size"],
  ),
  ...same("platforms/lower/globals.ts", ["multiply"], "Global nodes have a setting: the check is for the compiler.", [
    "setting?.condition",
    "setting.condition",
  ]),
];

/** Mutants of declarations of one file that are equivalent for the same reason, each as code and replacement. */
function same(
  file: string,
  within: readonly string[],
  reason: string,
  ...mutants: readonly (readonly [code: string, becomes: string])[]
): Equivalent[] {
  return mutants.map(([code, becomes]) => ({ file, within, code, becomes, reason }));
}
