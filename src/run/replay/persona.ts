import { oneLine } from "../../base/values/mod.ts";
import type { StoredCall } from "./recording.ts";

/**
 * Writes the persona of a caller with the knowledge and goals of the recorded one: the recorded conversation
 * itself, and the lines that were not said yet.
 */
export function recordedPersona({ result }: Pick<StoredCall, "result">, left: readonly string[]): string {
  const lines = result.transcript.flatMap(({ role, content }) =>
    role === "user" || role === "assistant" ? [`${role === "user" ? "You" : "Agent"}: ${oneLine(content)}`] : [],
  );
  return [
    "You are the caller of a call that was recorded. It takes place again with an agent that may ask other things, or in another order.",
    "You know and want what you said in the recording, and nothing else. Give no name, number, date or wish that is not in it; if the agent asks for one, say that you do not know.",
    "Where one of the lines that you have not said yet answers the agent, say that line word for word, and nothing more.",
    "",
    "The recording:",
    ...lines,
    "",
    ...(left.length > 0
      ? ["Your lines of it that you have not said yet:", ...left.map((line) => `- ${oneLine(line)}`)]
      : ["You have said all your lines of it. Hang up when you have what you wanted, or when the agent cannot help."]),
  ].join("\n");
}
