import { resolveModel, type ScriptedAnswer, scripted } from "../../../src/call/models/mod.ts";
import { createSteeringQueue, Mocks, startSpending, type TurnState } from "../../../src/call/turn/mod.ts";

const lookup = { name: "lookup", description: "", parameters: { properties: { id: { type: "string" } } } };

/** The state of a turn with a scripted model, and a list of what its callbacks receive. */
export async function turnOf(respond: readonly ScriptedAnswer[], more: Partial<TurnState> = {}) {
  const model = scripted({ respond });
  const told: string[] = [];
  const state: TurnState = {
    model: await resolveModel(model),
    instructions: "",
    input: { general_instructions: "", state_instructions: "", conversation_history: [], user_message: "" },
    tools: [lookup],
    sources: { mocks: new Mocks([]), implementations: {} },
    steering: createSteeringQueue(),
    budget: {},
    spentInCall: startSpending(),
    spentInTurn: startSpending(),
    call: {},
    events: {
      onToolCall: ({ name, outcome }) => void told.push(`${name} ${outcome}`),
      onUnspoken: (text) => void told.push(`unspoken ${text}`),
      onSteering: (text) => void told.push(`steering ${text}`),
    },
    messages: [{ role: "user", content: "hi" }],
    replyAhead: undefined,
    reply: { text: "", toolCalls: [] },
    executed: [],
    failedBefore: new Map(),
    nudges: 0,
    outcome: undefined,
    ...more,
  };
  return { model, state, told };
}
