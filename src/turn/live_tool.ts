import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { ToolError } from "../errors.ts";
import type { JsonObject } from "../graph/mod.ts";
import type { CalledTool } from "./tool_answer.ts";

/** Which addresses of tools may be called. */
export interface LiveTools {
  /** `host` or `host:port`, to the letter; a private address only when it is named itself, as `127.0.0.1` or `localhost`. */
  readonly hosts: readonly string[];
  /** Longest answer, in bytes. Absent: 1,000,000. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 1_000_000;

/**
 * Calls a tool at its address: POST with the arguments as a JSON body. Redirects are not followed to other hosts.
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
    await refusePrivate(name, target, live);
    const response = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(args),
      redirect: "manual",
      signal,
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || !location) return await readAnswer(name, response, live);
    const next = new URL(location, target);
    if (next.host !== target.host) throw notAllowed(name, `it redirects to ${next.host}`);
    if (target.protocol === "https:" && next.protocol !== "https:")
      throw notAllowed(name, "it redirects to plain HTTP");
    target = next;
  }
  throw failed(name, "it redirects without end");
}

function allowedAddress(name: string, url: string, { hosts }: LiveTools): URL {
  if (!URL.canParse(url)) throw failed(name, "its address is none");
  const target = new URL(url);
  if (target.protocol !== "https:" && target.protocol !== "http:")
    throw notAllowed(name, `${target.protocol} is no HTTP`);
  if (!isNamed(target, hosts)) {
    throw notAllowed(name, `${target.host} is not named`);
  }
  return target;
}

/** With or without its port, which a URL does not have when it is the protocol's own. */
function isNamed({ protocol, hostname, port }: URL, hosts: readonly string[]): boolean {
  return hosts.includes(hostname) || hosts.includes(`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`);
}

/** A public name that leads to a private address would let a document reach what only this machine can. */
async function refusePrivate(name: string, target: URL, { hosts }: LiveTools): Promise<void> {
  const host = target.hostname.replace(/^\[|\]$/g, "");
  if (isNamed(target, hosts) && (isIP(host) || host === "localhost")) return;
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true });
  for (const { address, family } of addresses) {
    if (PRIVATE.check(address, family === 6 ? "ipv6" : "ipv4"))
      throw notAllowed(name, `${host} leads to a private address`);
  }
}

const PRIVATE = privateAddresses();

function privateAddresses(): BlockList {
  const list = new BlockList();
  for (const range of ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"]) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), "ipv4");
  }
  list.addSubnet("192.168.0.0", 16, "ipv4");
  list.addSubnet("fc00::", 7, "ipv6");
  list.addSubnet("fe80::", 10, "ipv6");
  list.addAddress("::1", "ipv6");
  list.addAddress("::", "ipv6");
  return list;
}

async function readAnswer(
  name: string,
  response: Response,
  { maxBytes = DEFAULT_MAX_BYTES }: LiveTools,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw failed(name, `its answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const text = new TextDecoder().decode(await new Blob(chunks.map((chunk) => new Uint8Array(chunk))).arrayBuffer());
  if (response.ok) return text;
  throw failed(name, `HTTP ${response.status} ${text.slice(0, 200)}`.trim());
}

function failed(name: string, why: string): ToolError {
  return new ToolError(`Cannot call tool "${name}": ${why}`, {
    code: "tool-failed",
    path: [name],
    hint: "Try again, or go on without it",
  });
}

function notAllowed(name: string, why: string): ToolError {
  return new ToolError(`Cannot call tool "${name}": ${why}`, {
    code: "tool-not-allowed",
    path: [name],
    hint: "Allow its host with --live-tools, or mock the tool",
  });
}
