import type { PhoneCallResponse, WebCallResponse } from "retell-sdk/resources/call";

const START = Date.UTC(2026, 0, 5, 9, 30);

function said(role: "agent" | "user", content: string, fromSeconds: number): PhoneCallResponse.Utterance {
  const words = content.split(" ").map((word, index) => ({
    word,
    start: fromSeconds + index / 4,
    end: fromSeconds + (index + 1) / 4,
  }));
  return { role, content, words };
}

/** A phone call with nodes and tools: the agent looks up an order, which fails once, and ends the call. */
export function retellCall(id = "call_0a1"): PhoneCallResponse {
  const spoken = [
    said("agent", "Hello, this is Nova.", 0.5),
    said("user", "Where is my order?", 2),
    said("agent", "It is in Berlin.", 5),
    said("user", "Thanks, bye.", 7),
    said("agent", "Goodbye.", 9),
  ] as const;
  const [hello, question, answer, thanks, bye] = spoken;
  return {
    call_id: id,
    call_type: "phone_call",
    call_status: "ended",
    agent_id: "agent_7",
    agent_version: 3,
    agent_name: "Orders",
    direction: "inbound",
    from_number: "+14155550100",
    to_number: "+14155550199",
    start_timestamp: START,
    end_timestamp: START + 12_000,
    duration_ms: 12_000,
    disconnection_reason: "agent_hangup",
    retell_llm_dynamic_variables: { customer: "Ada" },
    collected_dynamic_variables: { order_id: "41", is_late: "true" },
    call_analysis: { call_successful: true, user_sentiment: "Positive" },
    latency: { e2e: { p50: 1400, num: 2, values: [1500, 1300] } },
    transcript: spoken.map(({ role, content }) => `${role === "agent" ? "Agent" : "User"}: ${content}`).join("\n"),
    transcript_object: [...spoken],
    transcript_with_tool_calls: [
      transition("begin", "node-1", "Begin", "Greeting"),
      hello,
      question,
      transition("node-1", "node-2", "Greeting", "Look up"),
      { role: "tool_call_invocation", tool_call_id: "t1", name: "find_order", arguments: '{"id":"41"}' },
      { role: "tool_call_result", tool_call_id: "t1", content: "timeout", successful: false },
      { role: "tool_call_invocation", tool_call_id: "t2", name: "find_order", arguments: '{"id":"41"}' },
      { role: "tool_call_result", tool_call_id: "t2", content: '{"city":"Berlin"}', successful: true },
      answer,
      thanks,
      transition("node-2", "node-3", "Look up", "Goodbye"),
      bye,
    ],
  };
}

/** A web call with speech only. */
export function retellWebCall(): WebCallResponse {
  return {
    call_id: "call_web",
    call_type: "web_call",
    call_status: "ended",
    agent_id: "agent_7",
    agent_version: 3,
    access_token: "token",
    disconnection_reason: "user_hangup",
    start_timestamp: START,
    transcript_object: [said("agent", "Hello.", 0), said("user", "Wrong number.", 1.5)],
  };
}

function transition(
  from: string,
  to: string,
  fromName: string,
  toName: string,
): PhoneCallResponse.NodeTransitionUtterance {
  return {
    role: "node_transition",
    former_node_id: from,
    former_node_name: fromName,
    new_node_id: to,
    new_node_name: toName,
    transition_type: "normal",
  };
}
