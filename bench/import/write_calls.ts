import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** Format of the file: JSON lines, or one list. */
export type Layout = "lines" | "list";

const WORDS = "I would like to move my appointment to next Tuesday because my daughter is ill and cannot come".split(
  " ",
);
const TURNS = 24;

/** Writes Retell calls to a file of a given size. Returns their number. */
export async function writeCalls(path: string, bytes: number, layout: Layout): Promise<number> {
  const file = createWriteStream(path);
  const [first, between, last] = layout === "list" ? ["[\n", ",\n", "\n]\n"] : ["", "\n", "\n"];
  file.write(first);
  let calls = 0;
  for (let written = 0; written < bytes; calls++) {
    const text = `${calls === 0 ? "" : between}${JSON.stringify(callOf(calls))}`;
    written += text.length;
    if (!file.write(text)) await once(file, "drain");
  }
  file.end(last);
  await once(file, "finish");
  return calls;
}

function callOf(index: number): object {
  const said = (turn: number) => {
    const from = turn * 4;
    const words = WORDS.map((word, at) => ({ word, start: from + at / 5, end: from + at / 5 + 0.15 }));
    return { role: turn % 2 === 0 ? "agent" : "user", content: `${WORDS.join(" ")} ${index}-${turn}`, words };
  };
  return {
    call_id: `call_${index}`,
    call_type: "phone_call",
    call_status: "ended",
    agent_id: "agent",
    start_timestamp: 1_767_605_400_000 + index * 60_000,
    duration_ms: 96_000,
    disconnection_reason: "user_hangup",
    collected_dynamic_variables: { day: "Tuesday" },
    transcript_object: Array.from({ length: TURNS }, (_, turn) => said(turn)),
  };
}
