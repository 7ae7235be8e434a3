import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { ScriptedAnswer } from "../../../api/types.ts";
import { flow, type JsonObject, type RunOptions, run, scenario, scripted } from "../../../mod.ts";

/** A shop whose condition for refunds is wrong: it names complaints only. */
export const shop = flow("shop", {
  prompt: "You answer the phone of a shop. Be brief.",
  variables: {},
})
  .conversation("greet", {
    prompt: "Greet the caller and ask how to help.",
    next: ({ to }) => [to("refund", "Caller complains"), to("hours", "Caller asks for the opening hours")],
  })
  .conversation("refund", {
    prompt: "Say that the money is refunded.",
    next: ({ to }) => [to("bye", "Caller is done")],
  })
  .conversation("hours", {
    prompt: "Say that the shop is open from nine to five.",
    next: ({ to }) => [to("bye", "Caller is done")],
  })
  .conversation("gift", { prompt: "Offer a gift card." })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

export const MONEY = "I want my money back";
export const HOURS = "When are you open";

export const moneyBack = scenario("money back", shop).says(MONEY).visits("refund");
export const askHours = scenario("hours", shop).says(HOURS).visits("hours");
export const scenarios = [moneyBack, askHours];

/** Words of a condition, and what a caller says that meets them. */
const MEETS: readonly (readonly [condition: string, said: string])[] = [
  ["money", MONEY],
  ["complains", "I complain"],
  ["opening hours", HOURS],
  ["anything", MONEY],
  ["anything", HOURS],
  ["done", "That is all"],
];

/** Maximum number of calls that a test's model answers. */
const MANY = 500;

/** An agent that follows the text of conditions: it takes the first one whose words match the caller's message. */
export function ruleAgent(respond: (input: JsonObject) => ScriptedAnswer = () => "All right."): LanguageModelV3 {
  return scripted({ transition: repeated(decide), respond: repeated(respond) });
}

export function repeated(answer: (input: JsonObject) => ScriptedAnswer): readonly ScriptedAnswer[] {
  return Array.from({ length: MANY }, () => answer);
}

export function decide({ conversation_history: history, available_transitions: offers }: JsonObject) {
  const lines = Array.isArray(history) ? history : [];
  const said = String(lines.findLast(({ role }) => role === "user")?.content ?? "");
  const list = Array.isArray(offers) ? offers : [];
  const met = list.find(({ condition }) =>
    MEETS.some(([word, words]) => String(condition).includes(word) && said.includes(words)),
  );
  return { reasoning: "by rule", objectives_complete: true, transition_to: met?.target ?? "none" };
}

export const RUN: RunOptions = { store: false, limits: { concurrency: 4 } };

/** The failed result of a scenario of the shop. */
export async function failedCall(models: RunOptions["models"] = { agent: ruleAgent() }) {
  const { results } = await run(shop, scenarios, { ...RUN, ...(models ? { models } : {}) });
  const failed = results.find(({ status }) => status === "fail");
  if (!failed) throw new TypeError("the planted fault did not show");
  return failed;
}

/** The diagnosis of the planted fault, as a model gives it. */
export const FAULT = {
  place: "transition",
  node: "greet",
  transition: 0,
  target: "",
  tool: "",
  quotes: [{ node: "greet", quote: "Caller complains" }],
  evidence: [{ line: 2, quote: MONEY }],
  explanation: "The condition names complaints, and the caller asks for a refund.",
  confidence: 0.9,
};

const NOTHING = { node: "", transition: -1, clause: -1, target: "", name: "", operator: "", find: "", text: "" };

/** A proposal with one change. */
export function proposal(change: { readonly verb: string } & Partial<typeof NOTHING>) {
  return { changes: [{ ...NOTHING, ...change }], reasoning: "It names what the caller says." };
}

export const WIDER = proposal({ verb: "set_condition", node: "greet", transition: 0, text: "Caller wants money back" });
/** Repairs the failing scenario; the calls of the other one are reused. */
export const TOO_WIDE = proposal({ verb: "set_condition", node: "greet", transition: 0, text: "Caller says anything" });
export const USELESS = proposal({ verb: "set_prompt", node: "greet", text: "Greet the caller warmly." });
