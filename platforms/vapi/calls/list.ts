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
import { VAPI_TRAITS } from "../traits/mod.ts";
import { VAPI_OPEN_STATUSES } from "./read.ts";

const PAGE = 100;
/** A page has whole calls, of up to a few MiB each. */
const MOST_BYTES = 256 * 2 ** 20;

const CALL = v.looseObject({ id: ID, createdAt: v.string(), status: v.nullish(v.string()) });

/** Shape of a page: calls of the interval and the assistant that were asked for. */
function pageShape({ from, to }: Stretch, agentId: string | undefined) {
  return v.array(
    v.pipe(
      CALL,
      v.check(
        ({ assistantId }) => agentId === undefined || (assistantId ?? agentId) === agentId,
        "is of another assistant",
      ),
      v.check(({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) < to, "is of another time"),
    ),
  );
}

/**
 * Calls of Vapi, newest first and in full. The list has no cursor: the next page ends where the last one
 * began.
 *
 * @see https://docs.vapi.ai/api-reference/calls/list
 */
export function vapiCalls(options: CallListOptions): CallList {
  const { agentId } = options;
  const client = clientFor({ ...VAPI_TRAITS.connection, platform: VAPI_TRAITS.title }, options);
  return {
    read: async (id) => {
      const answer = v.pipe(
        CALL,
        v.check((call) => call.id === id, "is about another call"),
      );
      return await client.send({
        method: "GET",
        path: `/call/${encodeURIComponent(id)}`,
        about: `call "${id}"`,
        answer,
      });
    },
    pages: async function* ({ from, to }): AsyncIterable<CallPage> {
      let end = to;
      const requestOf = () =>
        ({
          method: "GET",
          path: "/call",
          query: {
            limit: PAGE,
            createdAtGe: new Date(from).toISOString(),
            createdAtLt: new Date(end).toISOString(),
            assistantId: agentId,
          },
          about: "the list of calls",
          answer: pageShape({ from, to: end }, agentId),
          mostBytes: MOST_BYTES,
        }) satisfies PlatformRequest;
      const pages = readListPages(client, {
        first: requestOf(),
        itemsOf: (page) => page.map(listed),
        idOf: ({ id }) => id,
        // `end` is that of the next page by now
        next: (page, calls) => (page.length < PAGE || calls.length === 0 || end <= from ? undefined : requestOf()),
      });
      for await (const { page, items: calls } of pages) {
        const isLast = page.length < PAGE || calls.length === 0;
        // the oldest moment of a full page is listed again, because more calls may share it
        const reached: number = isLast ? from : Math.min(end - 1, Math.min(...calls.map(({ at }) => at)) + 1);
        const read = { from: reached, to: end };
        end = reached;
        yield { calls, read };
      }
    },
  };
}

function listed(call: v.InferInput<typeof CALL>): ListedCall {
  return {
    id: call.id,
    at: Date.parse(call.createdAt),
    isOpen: VAPI_OPEN_STATUSES.includes(String(call.status)),
    call,
  };
}
