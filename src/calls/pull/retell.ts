import { isRecord } from "../../values/mod.ts";
import type { Stretch } from "./covered.ts";
import type { CallPlatform, ListedCall, Page, PlatformOptions } from "./platform.ts";

const PAGE = 100;
/** A call with one of these has no transcript yet. */
const OPEN = ["registered", "ongoing"];

/**
 * Calls of Retell, oldest first. The list has no transcripts, so each call is requested separately.
 *
 * @see https://docs.retellai.com/api-references/list-calls
 */
export async function retellCalls(options: PlatformOptions): Promise<CallPlatform> {
  const { default: Retell } = await import("retell-sdk");
  const { key, baseUrl, agentId, requestTimeoutMs, attempt } = options;
  const client = new Retell({
    apiKey: key,
    maxRetries: 0,
    timeout: requestTimeoutMs,
    logLevel: "off",
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });
  return {
    read: async (id, signal) => await attempt(`call "${id}"`, async () => await client.call.retrieve(id, { signal })),
    pages: async function* ({ from, to }, signal): AsyncIterable<Page> {
      let cursor: string | undefined;
      let at = from;
      for (;;) {
        const page = await attempt(
          "list of calls",
          async () =>
            await client.call.list(
              {
                limit: PAGE,
                sort_order: "ascending",
                filter_criteria: {
                  start_timestamp: { type: "range", op: "bt", value: [from, to - 1] },
                  ...(agentId === undefined ? {} : { agent: [{ agent_id: agentId }] }),
                },
                ...(cursor === undefined ? {} : { pagination_key: cursor }),
              },
              { signal },
            ),
        );
        const calls = page.items.flatMap(listed);
        const isLast = !page.has_more || page.pagination_key === undefined || page.pagination_key === cursor;
        const reached: number = isLast ? to : Math.max(at, ...calls.map((call) => call.at));
        yield { calls, read: { from: at, to: reached } satisfies Stretch };
        if (isLast) return;
        [cursor, at] = [page.pagination_key, reached];
      }
    },
  };
}

function listed(item: unknown): readonly ListedCall[] {
  if (!isRecord(item) || typeof item.call_id !== "string") return [];
  const { call_id: id, start_timestamp: at } = item;
  return [{ id, at: typeof at === "number" ? at : 0, isOpen: OPEN.includes(String(item.call_status)) }];
}
