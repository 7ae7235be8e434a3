import type { Vapi } from "@vapi-ai/server-sdk";

const START = Date.UTC(2026, 0, 5, 9, 30);

function at(seconds: number) {
  return { time: START + seconds * 1000, secondsFromStart: seconds };
}

function bot(message: string, seconds: number, assistantName: string): Vapi.BotMessage {
  return { role: "bot", message, ...at(seconds), endTime: START + (seconds + 1) * 1000, assistantName };
}

function user(message: string, seconds: number): Vapi.UserMessage {
  return { role: "user", message, ...at(seconds), endTime: START + (seconds + 1) * 1000 };
}

function toolCall(id: string, name: string, args: object, seconds: number): Vapi.ToolCallMessage {
  const toolCalls = [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }];
  return { role: "tool_calls", message: "", toolCalls, ...at(seconds) };
}

/** A call of a squad: the greeter hands over to orders, which looks up an order. */
export function vapiCall(id = "0b2e"): Vapi.Call {
  return {
    id,
    orgId: "org",
    type: "inboundPhoneCall",
    status: "ended",
    endedReason: "customer-ended-call",
    createdAt: new Date(START - 1000).toISOString(),
    updatedAt: new Date(START + 20_000).toISOString(),
    startedAt: new Date(START).toISOString(),
    endedAt: new Date(START + 12_000).toISOString(),
    squadId: "squad_1",
    cost: 0.12,
    assistantOverrides: { variableValues: { customer_name: "Ada" } },
    artifact: {
      messages: [
        { role: "system", message: "You greet callers.", ...at(0) },
        bot("Hello, this is Nova.", 0.5, "Greeter"),
        user("Where is my order?", 2),
        toolCall("h1", "handoff_to_Orders", {}, 3),
        handedOff(),
        toolCall("t1", "find_order", { id: "41" }, 4),
        { role: "tool_call_result", toolCallId: "t1", name: "find_order", result: '{"city":"Berlin"}', ...at(4.5) },
        bot("It is in Berlin.", 5, "Orders"),
        user("Thanks, bye.", 7),
      ],
      variableValues: { customer_name: "Ada", order_id: "41", now: "2026", customer: { number: "+14155550100" } },
      performanceMetrics: { turnLatencies: [{ turnLatency: 1200, modelLatency: 500 }], turnLatencyAverage: 1200 },
    },
  };
}

function handedOff(): Vapi.ToolCallResultMessage {
  const result = "No handoff destination returned";
  return { role: "tool_call_result", toolCallId: "h1", name: "handoff_to_Orders", result, ...at(3.2) };
}

/** The message that Vapi sends to a server when the call has ended. */
export function vapiReport(call = vapiCall()): { readonly message: Vapi.ServerMessageEndOfCallReport } {
  const { artifact = {}, ...rest } = call;
  return {
    message: {
      type: "end-of-call-report",
      endedReason: "customer-ended-call",
      artifact,
      analysis: { summary: "An order was looked up" },
      call: { ...rest, status: "in-progress" },
    },
  };
}
