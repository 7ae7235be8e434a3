import * as v from "valibot";
import { ID, type PlatformRequest, readListPages, TIME } from "../../../src/base/http/mod.ts";
import {
  type CallList,
  type CallListOptions,
  type CallPage,
  clientFor,
  type ListedCall,
  type Stretch,
} from "../../reading/mod.ts";
import { RETELL_TRAITS } from "../traits/mod.ts";

const PAGE = 100;
/** A call with one of these has no transcript yet. */
const OPEN = ["registered", "ongoing"];

const CALL = {
  call_id: ID,
  call_status: v.string(),
  agent_id: v.nullish(v.string()),
  start_timestamp: v.nullish(TIME),
};

/** Shape of a page: calls of the interval and the agent that were asked for, and where the next page begins. */
function pageShape({ from, to }: Stretch, agentId: string | undefined) {
  const call = v.pipe(
    v.looseObject(CALL),
    v.check(({ agent_id }) => agentId === undefined || (agent_id ?? agentId) === agentId, "is a call of another agent"),
    v.check(({ start_timestamp: at }) => (at ?? from) >= from && (at ?? from) < to, "is a call of another time"),
  );
  return v.pipe(
    v.looseObject({
      items: v.array(call),
      has_more: v.nullish(v.boolean()),
      pagination_key: v.nullish(v.string()),
    }),
    v.check((page) => page.has_more !== true || typeof page.pagination_key === "string", "has no key of the next page"),
  );
}

/**
 * Calls of Retell, oldest first. The list has no transcripts, so each call is requested separately.
 *
 * @see https://docs.retellai.com/api-references/list-calls
 */
export function retellCalls(options: CallListOptions): CallList {
  const { agentId } = options;
  const client = clientFor({ ...RETELL_TRAITS.connection, platform: RETELL_TRAITS.title }, options);
  return {
    read: async (id) => {
      const answer = v.pipe(
        v.looseObject(CALL),
        v.check(({ call_id }) => call_id === id, "is about another call"),
      );
      const path = `/v2/get-call/${encodeURIComponent(id)}`;
      return await client.send({ method: "GET", path, about: `call "${id}"`, answer });
    },
    pages: async function* ({ from, to }): AsyncIterable<CallPage> {
      const answer = pageShape({ from, to }, agentId);
      const requestOf = (cursor?: string | null) =>
        ({
          method: "POST",
          path: "/v3/list-calls",
          isRead: true,
          body: {
            limit: PAGE,
            sort_order: "ascending",
            filter_criteria: {
              start_timestamp: { type: "range", op: "bt", value: [from, to - 1] },
              ...(agentId === undefined ? {} : { agent: [{ agent_id: agentId }] }),
            },
            ...(typeof cursor === "string" ? { pagination_key: cursor } : {}),
          },
          about: "the list of calls",
          answer,
        }) satisfies PlatformRequest;
      const pages = readListPages(client, {
        first: requestOf(),
        itemsOf: ({ items }) => items.map(listed),
        idOf: ({ id }) => id,
        next: ({ has_more, pagination_key }) => (has_more === true ? requestOf(pagination_key) : undefined),
      });
      let at = from;
      for await (const { page, items: calls } of pages) {
        const reached: number = page.has_more === true ? Math.max(at, ...calls.map((call) => call.at)) : to;
        yield { calls, read: { from: at, to: reached } };
        at = reached;
      }
    },
  };
}

function listed(item: { call_id: string; call_status: string; start_timestamp?: number | null }): ListedCall {
  return { id: item.call_id, at: item.start_timestamp ?? 0, isOpen: OPEN.includes(item.call_status) };
}
