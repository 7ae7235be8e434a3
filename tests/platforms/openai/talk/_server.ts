import type { ToolMock } from "../../../../src/document/scenario/mod.ts";
import {
  type SocketServer,
  type SocketServerOptions,
  startSocketServer,
} from "../../../call/connection/_socket_server.ts";
import { type BrainTurn, replayTurn } from "../../connections/_brain.ts";

/** How the API differs from the usual one. */
export interface OpenAIServerOptions extends Pick<SocketServerOptions, "fault" | "refuse"> {
  /** Where the items of a response are: in `response.done`, or only in messages of their own. Default: both. */
  readonly items?: "both" | "alone";
  /** Whether responses say what they used. Default: true. */
  readonly usage?: boolean;
  /** Messages in place of those of a response, by its number, from 1. */
  readonly instead?: (response: number) => readonly object[] | undefined;
}

/**
 * A server that behaves as the Realtime API is described by openai 6.49.0 (resources/realtime/realtime.d.ts). The model
 * behind it is the help desk, whose functions the client answers; it ends calls with `end_call` and `transfer_call`.
 */
export async function startOpenAI(options: OpenAIServerOptions = {}): Promise<SocketServer> {
  const { items = "both", usage = true, instead, fault, refuse } = options;
  let sessions = 0;
  return await startSocketServer({
    ...(fault ? { fault } : {}),
    ...(refuse ? { refuse } : {}),
    play: async (socket) => {
      sessions += 1;
      socket.send({ type: "session.created", session: { id: `sess_${sessions}`, type: "realtime" } });
      const said: string[] = [];
      let answers: ToolMock[] = [];
      let asked = 0;
      let responses = 0;
      let variables: { readonly [name: string]: string } = {};
      for (let message = await socket.next(); message !== undefined; message = await socket.next()) {
        if (message.type === "session.update") {
          // the model knows the order's number from its instructions
          const [, number] = /number: ([A-Z]\S+)/.exec(message.session.instructions ?? "") ?? [];
          if (number) variables = { order_number: number };
          socket.send({ type: "session.updated", session: message.session });
        } else if (message.type === "conversation.item.create") {
          const { item } = message;
          if (item.type === "message") {
            said.push(item.content[0].text);
            asked = 0;
          } else {
            const isFailed = !item.output.startsWith("{");
            const mock = { tool_name: "look_up_order", input_match_rule: { type: "any" } as const };
            answers = [...answers, { ...mock, output: item.output, result: !isFailed, times: 1 }];
          }
        } else if (message.type === "response.create") {
          responses += 1;
          socket.send({ type: "response.created", response: { id: `resp_${responses}`, status: "in_progress" } });
          const other = instead?.(responses);
          if (other) {
            for (const each of other) socket.send(each);
            continue;
          }
          const turn = await replayTurn(said, { mocks: answers, variables });
          const calls = turn.events.filter(({ kind }) => kind === "calls");
          const output = calls.length > asked ? [callItem(calls[asked++])] : wordItems(turn);
          for (const item of output) socket.send({ type: "response.output_item.done", item });
          const used = usage ? { usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 } } : {};
          const done = {
            id: `resp_${responses}`,
            status: "completed",
            output: items === "both" ? output : [],
            ...used,
          };
          socket.send({ type: "response.done", response: done });
        }
      }
    },
  });
}

function callItem(call: BrainTurn["events"][number] | undefined): object {
  if (call?.kind !== "calls") throw new Error("this is no call");
  return {
    type: "function_call",
    name: call.name,
    call_id: `call_${call.name}`,
    arguments: JSON.stringify(call.arguments),
  };
}

function wordItems({ events, ended }: BrainTurn): readonly object[] {
  const words = events.flatMap((event) => (event.kind === "says" ? [event.text] : []));
  const content = words.map((text) => ({ type: "output_text", text }));
  const name = ended === "agent_ended" ? "end_call" : "transfer_call";
  const end = ended ? [{ type: "function_call", name, call_id: `call_${name}`, arguments: "" }] : [];
  return [{ type: "message", role: "assistant", status: "completed", content }, ...end];
}
