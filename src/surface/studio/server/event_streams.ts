import type { InferOutput } from "valibot";
import { StudioError } from "../../../base/errors.ts";
import type { StudioChatEvent, StudioSchemas } from "../api/mod.ts";
import { type FeedItem, MOST_LISTENERS } from "./event_feed.ts";
import type { Person, Studio } from "./studio.ts";

/** How many listen now. */
export interface EventLimits {
  listeners: number;
}

/** Headers of a stream of events. */
export const EVENT_HEADERS = { "content-type": "text/event-stream", "x-accel-buffering": "no" };
const encoder = new TextEncoder();

/** Streams what happens. Nothing is read from the database while the client reads nothing. */
export async function streamEvents(studio: Studio, request: Request, limits: EventLimits): Promise<Response> {
  if (limits.listeners >= MOST_LISTENERS)
    throw new StudioError("Cannot stream events: too many clients listen", {
      code: "too-many",
      hint: "Try again later",
    });
  const after = idIn(request);
  const over = new AbortController();
  const signal = AbortSignal.any([request.signal, over.signal]);
  const items = studio.events.listen(after, signal);
  limits.listeners += 1;
  let isOpen = true;
  const leave = () => {
    if (isOpen) limits.listeners -= 1;
    isOpen = false;
    over.abort();
  };
  request.signal.addEventListener("abort", leave, { once: true });
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await items.next();
          if (!isOpen) return; // the client has left meanwhile
          if (done) {
            leave();
            controller.close();
          } else controller.enqueue(encoder.encode(textOf(value)));
        } catch (error) {
          if (!isOpen) return;
          leave();
          studio.onError(error);
          controller.close(); // the client connects again, and goes on after the last event
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: EVENT_HEADERS });
}

function textOf(item: FeedItem): string {
  if ("events" in item) return item.events.map(({ id, document }) => `id: ${id}\ndata: ${document}\n\n`).join("");
  if ("missed" in item) return `id: ${item.missed}\ndata: {"type":"events-missed"}\n\n`;
  return `id: ${item.beat}\ndata: {"type":"connected"}\n\n`;
}

/** The id after which a client goes on. */
function idIn(request: Request): number | undefined {
  const text = request.headers.get("last-event-id");
  if (text === null || text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new StudioError("Cannot stream events: last-event-id is no id of an event", {
    code: "invalid-request",
    hint: "Send the id of the last event, or none",
  });
}

/** Says something in a chat, and streams the reply. A client that leaves aborts it. */
export async function streamReply(
  studio: Studio,
  request: Request,
  said: { readonly chat: string; readonly who: Person; readonly body: unknown },
): Promise<Response> {
  const { text } = said.body as InferOutput<StudioSchemas["say"]["body"]>; // checked by the schema of its route
  studio.chats.show(said.chat, said.who.name); // an unknown chat is an error, and not an event
  const left = new AbortController();
  const signal = AbortSignal.any([request.signal, left.signal]);
  const stream = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: Number.POSITIVE_INFINITY,
  });
  const writer = stream.writable.getWriter();
  writer.closed.catch(() => left.abort());
  const tell = (event: StudioChatEvent) =>
    void writer.write(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)).catch(() => {});
  const begun = studio.chats.say(said.chat, said.who.name, { text, tell, signal });
  void begun
    .catch(async (error: unknown) => {
      const { errorAnswer } = await import("./answers.ts");
      const { code, message, hint } = errorAnswer(error).body.error;
      tell({ type: "error", code, message, hint });
    })
    .finally(() => writer.close().catch(() => {}));
  return new Response(stream.readable, { headers: EVENT_HEADERS });
}
