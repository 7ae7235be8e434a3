import { checkMessages, findEvidence } from "../../../src/call/judges/mod.ts";
import { providerWords } from "../../../src/call/models/middleware/provider_words.ts";
import { playCaller } from "../../../src/call/models/offline/caller.ts";
import { ENGLISH } from "../../../src/call/models/offline/english.ts";
import { extractVariables } from "../../../src/call/models/offline/extract.ts";
import { judgeByWords } from "../../../src/call/models/offline/judge.ts";
import { pickTransition } from "../../../src/call/models/offline/transition.ts";
import { isCutJson, parseAnswer, spokenText } from "../../../src/call/models/text/answer.ts";

const line = (role: "user" | "assistant", content: string) => ({
  role,
  content,
  node_id: "a",
  timestamp: "",
  metadata: {},
});
const call = (content: string) => ({
  transcript: [line("assistant", content)],
  nodesVisited: [],
  toolsCalled: [],
  variables: {},
  endReason: undefined,
});
const variable = (name: string) => ({ name, description: `The caller's ${name}`, type: "string", choices: [] });
const variables = ["email", "address", "order number", "plan"].map(variable);
const persona = "You are Anna Ruiz. You want to cancel order 12.";
const offers = [
  { target: "b", condition: "Caller gives a name", condition_type: "llm_prompt" as const, description: "" },
];
const notes = ['{"event":"It is still your turn. Go on."}'];
const criteria = [{ number: 1, criterion: "Says so" }];

/** What reads texts of models, by what it reads. */
export const READERS = {
  evidence: (text) => findEvidence(text, [line("assistant", `${"b ".repeat(9_999)}a`)]),
  "evidence in a transcript": (text) => findEvidence(`b${text.slice(text.length / 2)}`, [line("assistant", text)]),
  "included words": (text) =>
    checkMessages({ includes: [`b${text.slice(text.length / 2)}`], excludes: [] }, [], call(text)),
  answers: parseAnswer,
  "cut answers": isCutJson,
  replies: (text) => spokenText(text, notes),
  refusals: (responseBody) => providerWords({ message: "", responseBody }),
  "replies to a rule-based caller": (text) =>
    playCaller({ persona, conversation_history: [line("assistant", text)] }, ENGLISH),
  "replies before a rule-based decision": (text) =>
    pickTransition({
      current_state_prompt: "",
      conversation_history: [line("user", text)],
      last_agent_message: text,
      available_transitions: offers,
    }),
  "replies to a rule-based judge": (text) => judgeByWords({ criteria, transcript: [line("assistant", text)] }),
  "callers' words": (text) => {
    const history = [line("assistant", "What is your plan, email and address?"), line("user", text)];
    return extractVariables({ instructions: "", variables, conversation_history: history });
  },
} satisfies { readonly [what: string]: (text: string) => unknown };
