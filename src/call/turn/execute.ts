import type { CalledTool } from "./called_tool.ts";
import type { ExecutedCall, TurnState } from "./state.ts";
import { answerToolCall, resultText } from "./tool_answer.ts";

/** Maximum length of a tool result for the model, in characters. */
const MOST_SEEN = 8_000;

/** Calls the tools concurrently and adds their results in the order of the calls. */
export async function execute(state: TurnState): Promise<void> {
  const { toolCalls } = state.reply;
  const { wallMs } = state.spentInTurn;
  const startedMs = wallMs();
  const answers = await Promise.allSettled(
    toolCalls.map(async (call): Promise<ExecutedCall> => {
      const answer = await answerToolCall(toolOf(state, call.name), call.arguments, state.sources);
      return { ...call, ...answer, durationMs: wallMs() - startedMs };
    }),
  );
  state.events.onToolsAnswered?.(wallMs() - startedMs);
  state.executed = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  for (const call of state.executed) state.events.onToolCall(call);
  // an abort rejects; calls that finished before it were reported above
  for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
  state.messages.push({
    role: "tool",
    content: state.executed.map((call) => ({
      type: "tool-result" as const,
      toolCallId: call.id,
      toolName: call.name,
      output: {
        type: call.outcome === "failed" ? ("error-text" as const) : ("text" as const),
        value: seen(call.result),
      },
    })),
  });
}

/** Finds a tool by name. An unknown name fails later as `unmocked-tool`. */
function toolOf(state: TurnState, name: string): CalledTool {
  return state.tools.find((tool) => tool.name === name) ?? { name };
}

function seen(result: unknown): string {
  const text = resultText(result);
  return text.length > MOST_SEEN ? `${text.slice(0, MOST_SEEN)} … (${text.length} characters)` : text;
}
