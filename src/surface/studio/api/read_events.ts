/** One server-sent event. */
export interface SentEvent {
  readonly id: string;
  readonly data: string;
}

/** Longest event, in characters: a server that never ends one must not fill the memory. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Reads server-sent events from the body of an answer. Comments and events without data are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      if (rest.length > MOST_CHARACTERS) throw new TypeError("an event of the server is too long");
      for (const block of blocks) {
        const fields = block.split(/\r?\n/).map(fieldOf);
        id = fields.findLast(([name]) => name === "id")?.[1] ?? id;
        const data = fields.filter(([name]) => name === "data").map(([, text]) => text);
        if (data.length > 0) yield { id, data: data.join("\n") };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function fieldOf(line: string): readonly [name: string, text: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
