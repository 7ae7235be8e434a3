import type { ProjectFile } from "./project_file.ts";

/** The agent of a new project: the front desk of a dentist. */
export function agentFiles(): readonly ProjectFile[] {
  return [
    { path: "flow.ts", text: FLOW },
    { path: "scenarios.ts", text: SCENARIOS },
  ];
}

const FLOW = `import { choice, flow, text } from "callweave";

export const agent = flow("front-desk", {
  prompt: "You answer the phone of a dental practice. Be friendly and brief.",
  variables: {
    reason: choice("Why the caller calls", ["appointment", "question"]),
    visit_day: text("Day on which the caller wants to come"),
  },
})
  .conversation("greet", {
    prompt: "Greet the caller. Ask how you can help.",
    next: ({ to }) => [to("listen", "Caller says why they call")],
  })
  .extract("listen", {
    fills: ["reason"],
    next: ({ to, when, otherwise }) => [to("ask_day", when("reason", "==", "appointment")), otherwise("answer")],
  })
  .conversation("ask_day", {
    prompt: "Ask on which day they would like to come.",
    next: ({ to }) => [to("note_day", "Caller names a day")],
  })
  .extract("note_day", { fills: ["visit_day"], next: ({ to }) => [to("confirm")] })
  .end("confirm", { prompt: "Confirm the appointment on {{visit_day}}. Say goodbye." })
  .conversation("answer", {
    prompt: "Answer the question. Ask whether there is anything else.",
    next: ({ to }) => [to("bye", "Caller thanks the agent or says goodbye")],
  })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
`;

const SCENARIOS = `import { runAsProgram, scenario } from "callweave";
import { agent } from "./flow.ts";

export const scenarios = [
  scenario("books an appointment", agent)
    .persona("You want an appointment. You can come on Tuesday.")
    .visits("ask_day", "confirm")
    .extracts({ reason: "appointment", visit_day: "Tuesday" })
    .judge("The agent asks for the day"),
  scenario("asks a question", agent)
    .says("I have a question about my bill.", "Thank you, goodbye.")
    .visits("answer", "bye")
    .avoids("ask_day"),
];

await runAsProgram(import.meta, agent, scenarios);
`;
