import * as v from "valibot";
import { ID, type PlatformRequest, readListPages } from "../../../src/base/http/mod.ts";
import {
  type CallList,
  type CallListOptions,
  type CallPage,
  clientFor,
  type ListedCall,
  type Stretch,
} from "../../reading/mod.ts";
import { ELEVENLABS_TRAITS } from "../traits/mod.ts";
import { OPEN } from "./read.ts";

const PAGE = 100;
const PATH = "/v1/convai/conversations";

const CALL = v.looseObject({ conversation_id: ID, agent_id: v.nullish(v.string()), status: v.nullish(v.string()) });

/** Shape of a page: conversations of the interval and the agent that were asked for, and where the next page begins. */
function pageShape({ from, to }: Stretch, agentId: string | undefined) {
  const item = v.pipe(
    v.looseObject({ ...CALL.entries, start_time_unix_secs: v.nullish(v.number()) }),
    v.check((call) => agentId === undefined || (call.agent_id ?? agentId) === agentId, "is a call of another agent"),
    v.check(({ start_time_unix_secs: at }) => {
      const time = (at ?? from / 1_000) * 1_000;
      return time >= from - 1_000 && time < to + 1_000;
    }, "is a call of another time"),
  );
  return v.pipe(
    v.looseObject({
      conversations: v.array(item),
      has_more: v.nullish(v.boolean()),
      next_cursor: v.nullish(v.string()),
    }),
    v.check((page) => page.has_more !== true || typeof page.next_cursor === "string", "has no key of the next page"),
  );
}

/**
 * Conversations of ElevenLabs. The list has no transcripts, so each one is requested separately. Its order is not
 * documented: an interval counts as read when its last page is.
 *
 * @see https://elevenlabs.io/docs/api-reference/conversations/list
 */
export function elevenLabsCalls(options: CallListOptions): CallList {
  const { agentId } = options;
  const client = clientFor({ ...ELEVENLABS_TRAITS.connection, platform: ELEVENLABS_TRAITS.title }, options);
  return {
    read: async (id) => {
      const answer = v.pipe(
        v.looseObject({ ...CALL.entries, transcript: v.array(v.looseObject({})) }),
        v.check((call) => call.conversation_id === id, "is about another call"),
      );
      return await client.send({
        method: "GET",
        path: `${PATH}/${encodeURIComponent(id)}`,
        about: `call "${id}"`,
        answer,
      });
    },
    pages: async function* ({ from, to }): AsyncIterable<CallPage> {
      const answer = pageShape({ from, to }, agentId);
      const requestOf = (cursor?: string | null) =>
        ({
          method: "GET",
          path: PATH,
          query: {
            page_size: PAGE,
            call_start_after_unix: Math.floor(from / 1_000),
            call_start_before_unix: Math.ceil(to / 1_000),
            agent_id: agentId,
            cursor: cursor ?? undefined,
          },
          about: "the list of calls",
          answer,
        }) satisfies PlatformRequest;
      const pages = readListPages(client, {
        first: requestOf(),
        itemsOf: ({ conversations }) => conversations.map(listed),
        idOf: ({ id }) => id,
        next: ({ has_more, next_cursor }) => (has_more === true ? requestOf(next_cursor) : undefined),
      });
      for await (const { page, items: calls } of pages)
        yield { calls, read: { from, to: page.has_more === true ? from : to } };
    },
  };
}

function listed(item: {
  conversation_id: string;
  status?: string | null;
  start_time_unix_secs?: number | null;
}): ListedCall {
  const { conversation_id: id, status, start_time_unix_secs: seconds } = item;
  return { id, at: (seconds ?? 0) * 1_000, isOpen: OPEN.includes(status ?? "") };
}
