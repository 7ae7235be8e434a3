import { isRecord } from "../../values/mod.ts";
import { VAPI_OPEN_STATUSES } from "../read/mod.ts";
import type { CallPlatform, ListedCall, Page, PlatformOptions } from "./platform.ts";

const PAGE = 100;

/**
 * Calls of Vapi, newest first and in full. The list has no cursor: the next page ends where the last one
 * began.
 *
 * @see https://docs.vapi.ai/api-reference/calls/list
 */
export async function vapiCalls(options: PlatformOptions): Promise<CallPlatform> {
  const { VapiClient } = await import("@vapi-ai/server-sdk");
  const { key, baseUrl, agentId, requestTimeoutMs, attempt } = options;
  const client = new VapiClient({ token: key, ...(baseUrl === undefined ? {} : { baseUrl }) });
  const settings = (signal: AbortSignal) => ({
    maxRetries: 0,
    timeoutInSeconds: requestTimeoutMs / 1000,
    abortSignal: signal,
  });
  return {
    read: async (id, signal) =>
      await attempt(`call "${id}"`, async () => await client.calls.get({ id }, settings(signal))),
    pages: async function* ({ from, to }, signal): AsyncIterable<Page> {
      const seen = new Set<string>();
      let end = to;
      while (end > from) {
        const request = {
          limit: PAGE,
          createdAtGe: new Date(from).toISOString(),
          createdAtLt: new Date(end).toISOString(),
          ...(agentId === undefined ? {} : { assistantId: agentId }),
        };
        const answer: unknown = await attempt(
          "list of calls",
          async () => await client.calls.list(request, settings(signal)),
        );
        const items = Array.isArray(answer) ? answer : [];
        const calls = items.flatMap(listed).filter(({ id }) => !seen.has(id));
        for (const { id } of calls) seen.add(id);
        const isLast = items.length < PAGE || calls.length === 0;
        // the oldest moment of a full page is listed again, because more calls may share it
        const reached: number = isLast ? from : Math.min(end - 1, Math.min(...calls.map(({ at }) => at)) + 1);
        yield { calls, read: { from: reached, to: end } };
        end = reached;
      }
    },
  };
}

function listed(item: unknown): readonly ListedCall[] {
  if (!isRecord(item) || typeof item.id !== "string") return [];
  const at = item.createdAt instanceof Date ? item.createdAt.getTime() : Date.parse(String(item.createdAt));
  return [
    {
      id: item.id,
      at: Number.isNaN(at) ? 0 : at,
      isOpen: VAPI_OPEN_STATUSES.includes(String(item.status)),
      call: item,
    },
  ];
}
