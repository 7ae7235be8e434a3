import * as v from "valibot";
import { ID, type PlatformRequest, readListPages } from "../../../src/base/http/mod.ts";
import type { JsonObject } from "../../../src/base/values/mod.ts";
import { type CallList, type CallListOptions, type CallPage, clientFor, timeFrom } from "../../reading/mod.ts";
import { BLAND_TRAITS } from "../traits/mod.ts";
import { isOpenCall } from "./read.ts";

const PAGE = 100;
const DAY_MS = 86_400_000;

const CALL = { call_id: ID, created_at: v.string(), pathway_id: v.nullish(v.string()) };
const LIST = v.looseObject({ calls: v.array(v.looseObject(CALL)), total_count: v.nullish(v.number()) });

/**
 * Calls of Bland, oldest first. The list has days, no times, and no transcripts: each call is requested separately.
 *
 * @see https://docs.bland.ai/api-v1/get/calls
 */
export function blandCalls(options: CallListOptions): CallList {
  const client = clientFor({ ...BLAND_TRAITS.connection, platform: BLAND_TRAITS.title }, options);
  return {
    read: async (id) => {
      const answer = v.pipe(
        v.looseObject({}),
        v.check((call: JsonObject) => call.call_id === id || call.c_id === id, "is about another call"),
      );
      const path = `/v1/calls/${encodeURIComponent(id)}`;
      return await client.send({ method: "GET", path, about: `call "${id}"`, answer });
    },
    pages: async function* ({ from, to }): AsyncIterable<CallPage> {
      const day = (time: number) => new Date(time).toISOString().slice(0, 10);
      const requestOf = (first: number) =>
        ({
          method: "GET",
          path: "/v1/calls",
          query: {
            ...{ from: first, limit: PAGE, ascending: "true", sort_by: "created_at" },
            // the days of both ends, wherever the days of the organization begin
            ...{ start_date: day(from - DAY_MS), end_date: day(to + DAY_MS) },
          },
          about: "the list of calls",
          answer: LIST,
        }) satisfies PlatformRequest;
      let count = 0;
      const pages = readListPages(client, {
        first: requestOf(0),
        itemsOf: ({ calls }) => calls,
        idOf: ({ call_id }) => call_id,
        next: ({ calls, total_count: total }) => {
          count += calls.length;
          const isMore = total === undefined || total === null ? calls.length === PAGE : count < total;
          return calls.length > 0 && isMore ? requestOf(count) : undefined;
        },
      });
      for await (const { items } of pages) {
        const calls = items.flatMap((call) => {
          const at = timeFrom(call.created_at) ?? 0;
          const isWanted = at >= from && at < to;
          const isOther = options.agentId !== undefined && (call.pathway_id ?? options.agentId) !== options.agentId;
          return isWanted && !isOther ? [{ id: call.call_id, at, isOpen: isOpenCall(call) }] : [];
        });
        // a page of another day says nothing of how far the list was read
        if (calls.length > 0) yield { calls, read: { from, to: Math.max(...calls.map(({ at }) => at)) } };
      }
      yield { calls: [], read: { from, to } };
    },
  };
}
