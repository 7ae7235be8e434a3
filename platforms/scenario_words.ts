import type { Path } from "../src/base/errors.ts";
import {
  type ReplyRule,
  replyRuleSentence,
  replyRules,
  type Scenario,
  writtenLines,
} from "../src/document/scenario/mod.ts";

/** What a simulated caller is told: the persona, and the lines of a scripted one. */
export function callerPrompt({ user_prompt: prompt, says }: Scenario): string {
  const written = writtenLines(says);
  if (written.length === 0) return prompt || "You have called the agent. Answer its questions briefly.";
  const lines = written.map((line, index) => `${index + 1}. ${line}`);
  const then = prompt ? "After them, go on in your own words" : "Then hang up";
  const script = `Say these lines word for word, one each turn, in this order. ${then}.\n${lines.join("\n")}`;
  return prompt ? `${prompt}\n\n${script}` : script;
}

/** How a judge can see that a call ended. */
export const JUDGED_ENDS: ReadonlyMap<string, string> = new Map([
  ["agent_ended", "The agent ends the call"],
  ["agent_transferred", "The agent transfers the call"],
]);

/** Returns expectations as sentences for a judge, with their paths in the scenario. */
export function expectationWords(scenario: Scenario): readonly { readonly path: Path; readonly metric: string }[] {
  const end = JUDGED_ENDS.get(scenario.ends ?? "");
  const listed = <Item>(key: string, items: readonly Item[], say: (item: Item) => string) =>
    items.map((item, index) => ({ path: [key, index], metric: say(item) }));
  return [
    ...listed("includes", scenario.includes, (text) => `The agent says ${JSON.stringify(text)}`),
    ...listed("excludes", scenario.excludes, (text) => `The agent never says ${JSON.stringify(text)}`),
    ...listed("patterns", scenario.patterns, (text) => `Something that the agent says matches the pattern ${text}`),
    ...replyWords(scenario),
    ...listed("calls", scenario.calls, ({ tool, args }) => {
      const withArgs = ` with at least these arguments: ${JSON.stringify(args)}`;
      return `The agent calls the tool ${tool}${Object.keys(args).length === 0 ? "" : withArgs}`;
    }),
    ...Object.entries(scenario.extracts).map(([name, value]) => {
      return { path: ["extracts", name], metric: `At the end of the call, ${name} is ${JSON.stringify(value)}` };
    }),
    ...(end === undefined ? [] : [{ path: ["ends"], metric: end }]),
  ];
}

/** Rules for each reply as sentences for a judge of the whole call, with their paths in the scenario. */
export function replyWords(scenario: Scenario): readonly { readonly path: Path; readonly metric: string }[] {
  return replyRules(scenario).flatMap((rule, at) =>
    unseen(rule) === undefined ? [{ path: ["each_reply", at], metric: replyRuleSentence(rule) }] : [],
  );
}

/** Rules for each reply that a judge who reads the words of a call cannot decide, with the code of the loss. */
export function unseenReplyRules(scenario: Scenario): readonly {
  readonly path: Path;
  readonly code: "path-expectation" | "latency-expectation";
  readonly message: string;
}[] {
  return replyRules(scenario).flatMap((rule, at) => {
    const code = unseen(rule);
    if (code === undefined) return [];
    const what =
      code === "path-expectation" ? "at which node a reply is said" : "how long the silence before a reply is";
    return [{ path: ["each_reply", at], code, message: `The platform's judge does not see ${what}` }];
  });
}

/** Parts of a scenario about the state of tools, which a platform's tests do not know: its start, its changes and its end. */
export function stateParts(scenario: Scenario): readonly {
  readonly path: Path;
  readonly code: "state-expectation";
  readonly message: string;
}[] {
  const mocks = scenario.tool_mocks.flatMap(({ state_changes: changes }, at) =>
    changes == null ? [] : [["tool_mocks", at, "state_changes"]],
  );
  const own = (["tool_state", "end_state"] as const).filter((key) => scenario[key] != null).map((key) => [key]);
  const message = "The platform's tests do not know the state of tools";
  return [...own, ...mocks].map((path) => ({ path, code: "state-expectation", message }));
}

function unseen(rule: ReplyRule): "path-expectation" | "latency-expectation" | undefined {
  if (rule.node != null) return "path-expectation";
  return "silence_at_most_ms" in rule ? "latency-expectation" : undefined;
}
