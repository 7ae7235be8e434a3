import type { ToolMock } from "../../../../src/document/scenario/mod.ts";
import {
  type SocketServer,
  type SocketServerOptions,
  startSocketServer,
} from "../../../call/connection/_socket_server.ts";
import { type BrainEvent, type BrainTurn, startBrain } from "../../connections/_brain.ts";

/** How a bot differs from the usual one. */
export interface PipecatBotOptions extends Pick<SocketServerOptions, "fault" | "refuse"> {
  /** Whether it speaks first. Default: true. */
  readonly opens?: boolean;
  /** What its tools answer; it takes no mocks. Default: the orders of the help desk's scenarios. */
  readonly tools?: readonly ToolMock[];
  /**
   * When a function returns: after the answer that calls it is complete, as usual, or before that. Pipecat runs functions
   * beside the model's stream, so that both happen.
   */
  readonly returns?: "late" | "early";
  /** Messages that it sends before `bot-ready`, as a bot does that greets when a client connects. */
  readonly greetsEarly?: boolean;
  /** Whether calls of functions have names, as after `eval-configure`. Default: true. */
  readonly names?: boolean;
  /** Messages that it sends when the caller's words arrive, and before its model gets them. */
  readonly before?: readonly object[];
  /** Sent in place of the events of a turn, by the number of the turn; the opening is 0. */
  readonly instead?: (turn: number) => readonly object[] | undefined;
}

/** Orders that the help desk's tool knows. */
export const ORDERS: readonly ToolMock[] = [
  {
    tool_name: "look_up_order",
    input_match_rule: { type: "partial_match", args: { order_number: "A-1042" } },
    output: JSON.stringify({ status: "shipped", arrives: "Friday" }),
    result: true,
  },
  { tool_name: "look_up_order", input_match_rule: { type: "any" }, output: "no such order", result: false },
];

/**
 * A bot on Pipecat's development runner, as far as its text is concerned. The messages and their order are those of
 * pipecat-ai 1.14.0: evals/serializer.py, processors/frameworks/rtvi/observer.py and models.py.
 */
export async function startPipecat(options: PipecatBotOptions = {}): Promise<SocketServer> {
  const { opens = true, tools = ORDERS, instead, greetsEarly = false, fault, refuse } = options;
  return await startSocketServer({
    ...(fault ? { fault } : {}),
    ...(refuse ? { refuse } : {}),
    play: async (socket) => {
      const say = (type: string, data: object = {}) => socket.send({ label: "rtvi-ai", type, data });
      const connect = await socket.next();
      if (connect?.data?.t !== "eval-connect") return socket.close(1003, "no eval-connect");
      const brain = startBrain({ mocks: tools });
      let number = 0;
      const play = async (take: () => Promise<BrainTurn>, isSilent = false): Promise<boolean> => {
        const turn = await take();
        const other = instead?.(number++);
        if (other) for (const message of other) socket.send(message);
        else if (!isSilent) sendTurn(say, turn, options);
        if (!other && turn.ended === "agent_transferred") sendTransfer(say);
        // a pipeline that ends closes the connection after the last words (transports/websocket/fastapi.py)
        if (!other && turn.ended) socket.close(1000);
        return !other && turn.ended !== undefined;
      };
      if (greetsEarly) await play(() => brain.open(), !opens);
      for (let message = await socket.next(); message !== undefined; message = await socket.next()) {
        if (message.type === "client-ready") {
          // not every message is one of the protocol
          socket.send({ label: "other", type: "bot-llm-text", data: { text: "noise" } });
          say("bot-ready", { version: "2.2.0", about: { library: "pipecat-ai", library_version: "1.14.0" } });
          if (!greetsEarly) await play(() => brain.open(), !opens);
        } else if (message.type === "send-text") {
          for (const each of options.before ?? []) socket.send(each);
          say("user-llm-text", { text: message.data.content });
          if (await play(() => brain.hear(message.data.content))) return;
        } else if (message.type === "client-message" && message.data.t === "eval-cancel") {
          return socket.close(1000);
        }
      }
    },
  });
}

type Say = (type: string, data?: object) => void;

/** The events of a turn: an answer that ends with a call of a function, and another one after it has returned. */
function sendTurn(say: Say, { events }: BrainTurn, { returns = "late", names = true }: PipecatBotOptions): void {
  let calls = 0;
  say("bot-llm-started");
  for (const [at, event] of events.entries()) {
    if (event.kind === "says") {
      for (const word of event.text.split(/(?<= )/)) say("bot-llm-text", { text: word });
      const next = events.slice(at + 1).find(({ kind }) => kind !== "moves");
      // two texts are two answers: a node that speaks and moves on
      if (next?.kind === "says") say("bot-llm-text", { text: " " });
    } else if (event.kind === "calls") {
      calls += 1;
      const id = `call_${calls}`;
      const named = names ? { function_name: event.name } : {};
      say("llm-function-call-started", { ...named });
      say("llm-function-call-in-progress", {
        tool_call_id: id,
        ...named,
        ...(names ? { arguments: event.arguments } : {}),
      });
      if (returns === "early") stopCall(say, id, event);
      say("bot-llm-stopped");
      if (returns === "late") stopCall(say, id, event);
      say("bot-llm-started");
    }
  }
  say("bot-llm-stopped");
}

/** Transfers are the program's own: a function that hands the call over, and ends the pipeline. */
function sendTransfer(say: Say): void {
  const named = { tool_call_id: "transfer", function_name: "transfer_call" };
  say("bot-llm-started");
  say("llm-function-call-started", named);
  say("llm-function-call-in-progress", { ...named, arguments: {} });
  say("bot-llm-stopped");
}

function stopCall(say: Say, tool_call_id: string, { name, result }: Extract<BrainEvent, { kind: "calls" }>): void {
  say("llm-function-call-stopped", { tool_call_id, cancelled: false, function_name: name, result });
}
