import { isRecord } from "../../src/base/values/mod.ts";
import { answerOrFail, keyIn, type LocalPlatform, type LocalServerOptions } from "./serve.ts";

/** A `fetch` that calls a local platform in this process, without a server, for tests with many requests. */
export function fetchLocally(platform: LocalPlatform, { fault }: Pick<LocalServerOptions, "fault"> = {}): typeof fetch {
  let count = 0;
  const ask = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const asked = new Request(input, init);
    const url = new URL(asked.url);
    const text = await asked.text();
    const body: unknown = text === "" ? {} : JSON.parse(text);
    const request = {
      method: asked.method,
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      body: isRecord(body) ? body : {},
      key: keyIn((name) => asked.headers.get(name), platform),
    };
    const answer = answerOrFail(platform, request, fault?.(request, count++));
    if (!answer) throw new TypeError("fetch failed");
    const { status, headers, body: answered } = answer;
    const isEmpty = answered === undefined || status === 204;
    return new Response(isEmpty ? null : JSON.stringify(answered), { status, ...(headers ? { headers } : {}) });
  };
  return Object.assign(ask, { preconnect: () => {} });
}
