import type { LookupAddress } from "node:dns";
import type { IncomingMessage, RequestOptions } from "node:http";

/** A response whose body has not been read yet. */
export type PinnedResponse = IncomingMessage;

/**
 * POSTs JSON to one of the given addresses without resolving the host name again, because it could resolve to another
 * address after the check. Certificates are verified for the host name; redirects are not followed.
 *
 * `fetch` cannot do this on all runtimes; `node:http` accepts a `lookup` on Node, Bun and Deno.
 */
export async function postPinned(
  target: URL,
  body: string,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<PinnedResponse> {
  // loaded on first use: most calls have no live tools
  const { request } = await (target.protocol === "https:" ? import("node:https") : import("node:http"));
  const lookup: RequestOptions["lookup"] = (_name, options, found) => {
    const [first] = addresses;
    if (options.all) found(null, [...addresses]);
    else found(null, first?.address ?? "", first?.family);
  };
  return await new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        accept: "application/json",
        "accept-encoding": "identity",
      },
      agent: false, // no connection reuse: an open connection may lead to another address
      lookup,
    };
    const sent = request(target, options, resolve);
    const stop = () => sent.destroy(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    sent.on("error", reject);
    sent.on("close", () => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
    else sent.end(body);
  });
}
