import type { AgentConnection } from "../../mod.ts";
import type { ChatAnswer, ChatRequest } from "../chat_server.ts";
import { type BrainEvent, type BrainTurn, replayTurn } from "../platforms/connections/_brain.ts";
import type { FaultyPlatform } from "../platforms/connections/_faults.ts";
import { DESK_TOOLS } from "../platforms/connections/_tools.ts";

/** What a program's model does next. */
export type Step =
  | { readonly say: string }
  | { readonly move: string }
  | { readonly call: { readonly name: string; readonly arguments: object } };

/** A turn of the help desk, as steps of a model. The tool that ends the call comes before the last words. */
export function stepsOf({ events, ended }: BrainTurn): readonly Step[] {
  const steps = events.filter(({ kind }) => kind !== "says").map(stepOf);
  const say = events.flatMap((event) => (event.kind === "says" ? [event.text] : [])).join(" ");
  const end = ended && { call: { name: ended === "agent_ended" ? "end_call" : "transfer_call", arguments: {} } };
  return [...steps, ...(end ? [end] : []), { say }];
}

function stepOf(event: BrainEvent): Step {
  if (event.kind === "says") return { say: event.text };
  if (event.kind === "moves") return { move: event.to };
  return { call: { name: event.name, arguments: event.arguments } };
}

/** Answers as the model of a program without nodes, from the history alone. */
export async function answerFor(messages: ChatRequest["messages"]): Promise<ChatAnswer> {
  const said = messages.flatMap(({ role, content }) => (role === "user" ? [String(content)] : []));
  const last = messages.findLastIndex(({ role }) => role === "user");
  const done = messages.slice(last + 1).filter(({ role }) => role === "tool").length;
  const turn = await replayTurn(said, { mocks: DESK_TOOLS });
  const steps = stepsOf(turn).filter((step) => !("move" in step));
  const step = steps[done] ?? { say: "" };
  return "move" in step ? { say: "" } : step;
}

/** An agent that goes on when a run is over. */
export function running(name: string, connection: AgentConnection): FaultyPlatform {
  const dispose = async () => {};
  return {
    name,
    start: async () => ({ connection, messages: () => 0, sent: () => [], [Symbol.asyncDispose]: dispose }),
  };
}
