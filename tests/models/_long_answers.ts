/**
 * Reads answers and replies of 700,000 characters that make a search begin again at every character. A reader that
 * takes time by the square of the length would take minutes for each of them; this program ends within seconds.
 */
import { checkTexts, findEvidence } from "../../src/judges/mod.ts";
import { isCutJson, parseAnswer } from "../../src/models/answer.ts";
import { providerWords } from "../../src/models/middleware/provider_words.ts";
import { playCaller } from "../../src/models/offline/caller.ts";
import { extractVariables } from "../../src/models/offline/extract.ts";
import { judgeByWords } from "../../src/models/offline/judge.ts";
import { pickTransition } from "../../src/models/offline/transition.ts";
import { spokenText } from "../../src/models/spoken_text.ts";

const LENGTH = 700_000;

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

const READERS: readonly (readonly [string, string, (text: string) => unknown])[] = [
  ["evidence in marks", "!", (text) => findEvidence(`${text}a`, [line("user", "hello")])],
  ["evidence of many lines", "a\n", (text) => findEvidence(text, [line("user", `${"b ".repeat(9_999)}a`)])],
  ["evidence in speech like it", "a", (text) => findEvidence(`b${text.slice(LENGTH / 2)}`, [line("user", text)])],
  [
    "included words in speech",
    "a",
    (text) => checkTexts({ includes: [`b${text.slice(LENGTH / 2)}`], excludes: [] }, [], call(text)),
  ],
  ["answers in braces", "{", parseAnswer],
  ["answers in fences", "```", parseAnswer],
  ["answers that are cut off", '[{"a":"', isCutJson],
  ["thoughts", "<think></", (text) => spokenText(text, notes)],
  ["notes", '{"event":', (text) => spokenText(text, notes)],
  ["refusals that are pages", "<", (responseBody) => providerWords({ message: "", responseBody })],
  ["questions", "a ", (text) => playCaller({ persona, conversation_history: [line("assistant", text)] })],
  [
    "questions before a decision",
    "a",
    (text) =>
      pickTransition({
        current_state_prompt: "",
        conversation_history: [line("user", "Hi")],
        last_agent_message: text,
        available_transitions: offers,
      }),
  ],
  [
    "quotations",
    "“",
    (text) => judgeByWords({ criteria: [{ number: 1, criterion: "Says so" }], transcript: [line("assistant", text)] }),
  ],
  ...["a", "A-", "a-", ".", "1 "].map(
    (pump) =>
      [
        `values in ${pump}`,
        pump,
        (text: string) => {
          const history = [line("assistant", "What is your plan, email and address?"), line("user", `${text}z`)];
          return extractVariables({ instructions: "", variables, conversation_history: history });
        },
      ] as const,
  ),
];

for (const [name, pump, read] of READERS) {
  console.error(name); // the last one is the one that did not come to its end
  read(pump.repeat(LENGTH / pump.length));
}
