import type { LookupAddress } from "node:dns";
import type { IncomingMessage, RequestOptions } from "node:http";

/** What a server answered: its head has come, its body is still to be read. */
export type PinnedResponse = IncomingMessage;

/**
 * POSTs JSON to one of the given addresses, whatever the target's name leads to by now: a name that was looked up and
 * found harmless must not be looked up again. Certificates are held to the name, and redirects are not followed.
 *
 * `fetch` has no such thing on all runtimes; `node:http` takes a `lookup` on Node, Bun and Deno alike.
 */
export async function postPinned(
  target: URL,
  body: string,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<PinnedResponse> {
  // loaded with the first live tool: most calls have none
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
      agent: false, // a connection that was kept may lead elsewhere
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
