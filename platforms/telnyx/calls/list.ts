import * as v from "valibot";
import { ID, type PlatformRequest, readListPages } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject } from "../../../src/base/values/mod.ts";
import { type CallList, type CallListOptions, type CallPage, clientFor, type ListedCall } from "../../reading/mod.ts";
import { TELNYX_TRAITS } from "../traits/mod.ts";

const PAGE = 100;
const MOST_PAGES = 50;
/** A conversation without a message for so long is over; Telnyx does not say so itself. */
const QUIET_MS = 10 * 60_000;

const DATE = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), "is not a date"),
);

const CONVERSATION = v.looseObject({ id: ID, created_at: DATE, last_message_at: v.nullish(DATE) });

const MESSAGES = v.looseObject({
  data: v.array(v.looseObject({})),
  meta: v.nullish(v.looseObject({ total_pages: v.nullish(v.number()) })),
});

/**
 * Conversations of Telnyx, newest first. The list has no messages: each conversation is read with them.
 *
 * @see https://developers.telnyx.com/api-reference/conversations/list-conversations
 */
export function telnyxCalls(options: CallListOptions): CallList {
  const { agentId, clock } = options;
  const client = clientFor({ ...TELNYX_TRAITS.connection, platform: TELNYX_TRAITS.title }, options);
  return {
    read: async (id) => {
      const path = `/ai/conversations/${encodeURIComponent(id)}`;
      const answer = v.pipe(
        v.looseObject({}),
        v.check((found) => inside(found).id === id, "is about another conversation"),
      );
      const found = await client.send({ method: "GET", path, about: `conversation "${id}"`, answer });
      const messages: JsonObject[] = [];
      for (let page = 1, last = 1; page <= Math.min(last, MOST_PAGES); page++) {
        const query = { "page[number]": page, "page[size]": PAGE };
        const about = `the messages of conversation "${id}"`;
        const list = await client.send({ method: "GET", path: `${path}/messages`, query, about, answer: MESSAGES });
        messages.push(...list.data);
        last = list.meta?.total_pages ?? 1;
      }
      return { ...inside(found), messages };
    },
    pages: async function* ({ from, to }): AsyncIterable<CallPage> {
      let end = to;
      const requestOf = () =>
        ({
          method: "GET",
          path: "/ai/conversations",
          query: {
            limit: PAGE,
            order: "created_at.desc",
            created_at: `lt.${new Date(end).toISOString()}`,
            "metadata->assistant_id": agentId === undefined ? undefined : `eq.${agentId}`,
          },
          about: "the list of conversations",
          answer: v.looseObject({ data: v.array(CONVERSATION) }),
        }) satisfies PlatformRequest;
      const pages = readListPages(client, {
        first: requestOf(),
        itemsOf: ({ data }) => data.map(listed),
        idOf: ({ id }) => id,
        // `end` is that of the next page by now
        next: ({ data }, calls) => (data.length < PAGE || calls.length === 0 || end <= from ? undefined : requestOf()),
      });
      for await (const { page, items } of pages) {
        const isLast = page.data.length < PAGE || items.length === 0;
        // the oldest moment of a full page is listed again, because more conversations may share it
        const oldest = Math.min(end - 1, Math.min(...items.map(({ at }) => at)) + 1);
        const reached: number = isLast ? from : Math.max(from, oldest);
        const read = { from: reached, to: end };
        end = reached;
        yield { calls: items.filter(({ at }) => at >= from && at < to), read };
      }
    },
  };

  function listed({ id, created_at: created, last_message_at: last }: v.InferInput<typeof CONVERSATION>): ListedCall {
    const at = Date.parse(created);
    return { id, at, isOpen: clock.now() - (last ? Date.parse(last) : at) < QUIET_MS };
  }
}

const inside = (found: JsonObject): JsonObject => (isRecord(found.data) ? found.data : found);
