import { type LocalPlatform, retellAnswers, retellCall, startPlatform } from "../../../run/calls/pull/_platforms.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A call of Retell in which the agent says a line, and which may end with a fault of the platform. */
export function productionCall(number: number, at: number, says: string, isBroken = false) {
  const call = retellCall(number, at);
  const transcript_object = [
    { role: "agent", content: "Lumen, good morning.", words: [] },
    { role: "user", content: "My name is Maria Lopez, where is my order?", words: [] },
    { role: "agent", content: says, words: [] },
  ];
  return { ...call, transcript_object, ...(isBroken ? { disconnection_reason: "error_llm_websocket_open" } : {}) };
}

/**
 * Calls of five weeks, at the same times of each week; the last one ends two hours ago.
 *
 * @param saysOf What the agent says in a call that started so many days ago.
 */
export function fiveWeeks(
  saysOf: (daysAgo: number, index: number) => string,
  isBroken: (daysAgo: number, index: number) => boolean = () => false,
  perWeek = 12,
) {
  const now = Date.now();
  return Array.from({ length: 5 * perWeek }, (_, index) => {
    const ago = 35 * DAY - 3 * HOUR - (index * 7 * DAY) / perWeek;
    return productionCall(index, now - ago, saysOf(ago / DAY, index), isBroken(ago / DAY, index));
  });
}

/** Starts a local Retell with calls. */
export async function startProduction(
  calls: () => readonly ReturnType<typeof productionCall>[],
): Promise<LocalPlatform> {
  const made = calls();
  return await startPlatform(retellAnswers(() => made));
}
