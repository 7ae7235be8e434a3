import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import { ToolError } from "../../base/errors.ts";
import { redact } from "../../base/redaction/mod.ts";
import type { JsonObject } from "../../base/values/mod.ts";
import type { ToolDefinition } from "../../document/graph/mod.ts";

/** Hosts whose tools may be called by URL. */
export interface LiveTools {
  /**
   * `host` or `host:port`, matched exactly. A private address must be listed itself, as `127.0.0.1` or `localhost`.
   */
  readonly hosts: readonly string[];
  /** Maximum size of a response, in bytes. Default: 1,000,000. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 1_000_000;

/**
 * Calls a tool at its URL: POST with the arguments as a JSON body. Redirects to hosts that are not listed are rejected.
 * The host name is resolved once, so that the checked address is the one that receives the request.
 *
 * @throws {ToolError} `tool-not-allowed`, `tool-failed`.
 */
export async function callLiveTool(
  { name, url }: CalledTool,
  args: JsonObject,
  live: LiveTools,
  signal: AbortSignal,
): Promise<string> {
  let target = allowedAddress(name, url ?? "", live);
  for (let redirects = 0; redirects < 5; redirects++) {
    const addresses = await allowedAddresses(name, target, live);
    const response = await postPinned(target, JSON.stringify(args), addresses, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status < 300 || status >= 400 || !location) return await readAnswer(name, response, live);
    response.destroy();
    target = redirectTarget(name, target, location);
  }
  throw failed(name, "too many redirects");
}

/**
 * Returns the URL to which a response redirects. Another host is rejected, and plain HTTP after HTTPS.
 *
 * @throws {ToolError} `tool-not-allowed`; `tool-failed` when the URL cannot be parsed.
 */
export function redirectTarget(name: string, from: URL, location: string): URL {
  if (!URL.canParse(location, from)) throw failed(name, "the URL to which it redirects cannot be parsed");
  const next = new URL(location, from);
  if (next.host !== from.host) throw notAllowed(name, `it redirects to ${next.host}`);
  if (from.protocol === "https:" && next.protocol !== "https:") throw notAllowed(name, "it redirects to plain HTTP");
  return next;
}

function allowedAddress(name: string, url: string, { hosts }: LiveTools): URL {
  if (!URL.canParse(url)) throw failed(name, "the URL cannot be parsed");
  const target = new URL(url);
  if (target.protocol !== "https:" && target.protocol !== "http:")
    throw notAllowed(name, `${target.protocol} is not HTTP`);
  if (!isNamed(target, hosts)) {
    throw notAllowed(name, `${target.host} is not an allowed host`);
  }
  return target;
}

/** Whether a URL matches a listed host, with or without its port: `URL` drops a default port. */
function isNamed({ protocol, hostname, port }: URL, hosts: readonly string[]): boolean {
  return hosts.includes(hostname) || hosts.includes(`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`);
}

/** A resolved address. Declared here so that the package's declarations do not need Node's types. */
interface HostAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/**
 * Resolves the addresses of a URL and rejects private ones, which would let a document reach hosts that only this
 * machine can reach.
 *
 * @throws {ToolError} `tool-not-allowed`.
 */
export async function allowedAddresses(
  name: string,
  target: URL,
  { hosts }: LiveTools,
  find: (host: string) => Promise<readonly HostAddress[]> = (host) => lookup(host, { all: true }),
): Promise<readonly HostAddress[]> {
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await find(host);
  if (isNamed(target, hosts) && (isIP(host) || host === "localhost")) return addresses;
  for (const { address } of addresses)
    if (!(await isPublicAddress(address))) throw notAllowed(name, `${host} resolves to a private or reserved address`);
  return addresses;
}

async function readAnswer(
  name: string,
  response: PinnedResponse,
  { maxBytes = DEFAULT_MAX_BYTES }: LiveTools,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    const chunk: Buffer = part;
    size += chunk.byteLength;
    if (size > maxBytes) throw failed(name, `its response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if (!response.complete) throw failed(name, "its response was cut off");
  const bytes = await uncompressed(name, Buffer.concat(chunks), response, maxBytes);
  const text = new TextDecoder().decode(bytes); // removes a byte order mark
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return text;
  throw failed(name, `HTTP ${status} ${redact(text).slice(0, 200)}`.trim());
}

/** Decompresses the body, because some servers compress it unasked. */
async function uncompressed(name: string, bytes: Buffer, { headers }: PinnedResponse, maxBytes: number) {
  const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity";
  if (encoding === "identity" || bytes.byteLength === 0) return bytes;
  const { brotliDecompressSync, unzipSync } = await import("node:zlib");
  const uncompress = encoding === "br" ? brotliDecompressSync : unzipSync;
  try {
    return uncompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw failed(
      name,
      `its response (${encoding}) cannot be decompressed: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function failed(name: string, why: string): ToolError {
  return new ToolError(`Cannot call tool "${name}": ${why}`, {
    code: "tool-failed",
    path: [name],
    hint: "Try again, or continue without it",
  });
}

function notAllowed(name: string, why: string): ToolError {
  return new ToolError(`Cannot call tool "${name}": ${why}`, {
    code: "tool-not-allowed",
    path: [name],
    hint: "Allow its host with --live-tools, or mock the tool",
  });
}

/** The range of global unicast addresses; all others are reserved or unassigned. */
const GLOBAL_UNICAST = ["2000::", 3] as const;
/** The NAT64 prefix: the last four bytes are an IPv4 address. */
const NAT64 = ["64:ff9b::", 96] as const;

/**
 * Whether an address is public: not loopback, private, link-local, multicast, reserved or for documentation, and not an
 * IPv6 form (mapped, compatible, NAT64, 6to4, Teredo) of such an IPv4 address.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/
 */
async function isPublicAddress(address: string): Promise<boolean> {
  const { default: ip } = await import("ipaddr.js"); // loaded on first use: most calls have no live tools
  if (!ip.isValid(address)) return false;
  const parsed = ip.process(address); // unwraps a mapped IPv4 address
  if (parsed.kind() === "ipv4") return parsed.range() === "unicast";
  const within = ([network, bits]: readonly [string, number]) => parsed.match(ip.parse(network), bits);
  if (within(NAT64)) return ip.fromByteArray(parsed.toByteArray().slice(-4)).range() === "unicast";
  return within(GLOBAL_UNICAST) && parsed.range() === "unicast";
}

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

/** Fields of a tool that a call needs. Only the name when the node has no tool of that name. */
export type CalledTool = Pick<ToolDefinition, "name" | "parameters" | "url" | "type">;
