import { flow, number, text } from "../../../../../mod.ts";
import { createPersonaCaller } from "../../../../../src/call/callers/mod.ts";
import { conversation } from "../../../../../src/call/engine/mod.ts";
import { offline } from "../../../../../src/call/models/mod.ts";
import type { AgentGraph } from "../../../../../src/document/graph/mod.ts";

/** The texts of the clinic's phone in a language. */
export interface ClinicTexts {
  readonly role: string;
  readonly begin: string;
  /** Prompts of the nodes. */
  readonly name: string;
  readonly day: string;
  readonly time: string;
  readonly people: string;
  readonly phone: string;
  readonly confirm: string;
  readonly booked: string;
  readonly bye: string;
  readonly human: string;
  /** Conditions. */
  readonly wantsBooking: string;
  readonly wantsCancel: string;
  readonly givesName: string;
  readonly givesDay: string;
  readonly givesTime: string;
  readonly givesPeople: string;
  readonly givesPhone: string;
  readonly confirms: string;
  readonly declines: string;
  readonly finished: string;
  readonly wantsHuman: string;
  /** Descriptions of the variables. */
  readonly nameOf: string;
  readonly dayOf: string;
  readonly timeOf: string;
  readonly peopleOf: string;
  readonly phoneOf: string;
  /** What the caller says, in order. */
  readonly lines: readonly string[];
  /** What the call fills: name, day, time, people, phone. */
  readonly filled: readonly [string, string, string, string, string];
  /** Who a simulated caller is. */
  readonly persona: string;
}

/** A clinic that gives appointments: the same graph in each language. */
export function clinic(texts: ClinicTexts): AgentGraph {
  return flow("clinic", {
    prompt: texts.role,
    beginMessage: texts.begin,
    variables: {
      caller_name: text(texts.nameOf),
      day: text(texts.dayOf),
      time: text(texts.timeOf),
      people: number(texts.peopleOf),
      phone: text(texts.phoneOf),
    },
  })
    .conversation("greet", {
      prompt: texts.role,
      next: ({ to }) => [to("cancel", texts.wantsCancel), to("ask_name", texts.wantsBooking)],
    })
    .conversation("ask_name", { prompt: texts.name, next: ({ to }) => [to("ask_day", texts.givesName)] })
    .conversation("ask_day", { prompt: texts.day, next: ({ to }) => [to("ask_time", texts.givesDay)] })
    .conversation("ask_time", { prompt: texts.time, next: ({ to }) => [to("ask_people", texts.givesTime)] })
    .conversation("ask_people", { prompt: texts.people, next: ({ to }) => [to("ask_phone", texts.givesPeople)] })
    .conversation("ask_phone", { prompt: texts.phone, next: ({ to }) => [to("read", texts.givesPhone)] })
    .extract("read", {
      fills: ["caller_name", "day", "time", "people", "phone"],
      next: ({ to }) => [to("confirm")],
    })
    .conversation("confirm", {
      prompt: texts.confirm,
      next: ({ to }) => [to("booked", texts.confirms), to("ask_day", texts.declines)],
    })
    .conversation("booked", { prompt: texts.booked, next: ({ to }) => [to("bye", texts.finished)] })
    .conversation("cancel", { prompt: texts.name, next: ({ to }) => [to("bye", texts.givesName)] })
    .global("human", { when: texts.wantsHuman, prompt: texts.human })
    .end("bye", { prompt: texts.bye })
    .compile();
}

/** The nodes that a call passes, in order, and what it filled. */
export async function hold(texts: ClinicTexts, lines: readonly string[] = texts.lines) {
  const call = conversation(clinic(texts), { models: { agent: offline() } });
  await call.open();
  for (const line of lines) if (!call.ended) await call.hear(line);
  const nodes = call.transcript.map(({ node_id: id }) => id).filter((id, at, all) => id !== all[at - 1]);
  return { nodes, call };
}

/** Most turns of a played call. */
const MOST_TURNS = 20;

/** Holds a call in which the offline model plays the caller, too. */
export async function play(texts: ClinicTexts) {
  const call = conversation(clinic(texts), { models: { agent: offline() } });
  const caller = createPersonaCaller(texts.persona, offline());
  await call.open();
  for (let turn = 0; turn < MOST_TURNS && !call.ended; turn += 1) {
    const history = call.transcript.flatMap(({ role, content }) =>
      role === "user" || role === "assistant" ? [{ role, content }] : [],
    );
    const move = await caller.next(history);
    if (move.say !== undefined) await call.hear(move.say);
    if (move.hangUp !== undefined) break;
  }
  const nodes = call.transcript.map(({ node_id: id }) => id).filter((id, at, all) => id !== all[at - 1]);
  const said = call.transcript.map(({ role, node_id: id, content }) => `${role} ${id} ${content}`).join("\n");
  return { nodes, said };
}
