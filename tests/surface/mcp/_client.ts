import { join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ownStart, ROOT } from "../cli/_process.ts";

/** A server that was started, and the SDK's own client of it. */
export interface Served extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool, and returns its text, parsed. */
  readonly call: (name: string, input?: object, options?: CallOptions) => Promise<Answered>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

export interface Answered {
  readonly isError: boolean;
  /** The last text, parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of tools, whose parts the tests look at
  readonly value: any;
  readonly texts: readonly string[];
}

export const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");

/** How `callweave mcp` is started on the runtime of the test, with nothing of the environment that names a model or a key. */
export function startOf(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [command = "", ...rest] = ownStart();
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(?:OPENAI|CALLWEAVE|NODE_OPTIONS|NODE_TEST)/.test(name) ? [] : [[name, value] as const],
  );
  return {
    command,
    args: [...rest, MAIN, "mcp", ...args],
    env: { ...Object.fromEntries(kept), NO_COLOR: "1", ...env },
  };
}

export async function serve(
  cwd: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ ...startOf(args, env), cwd, stderr: "ignore" }), {
    timeout: 300_000,
  });
  return {
    client,
    call: async (name, input = {}, { signal, onProgress } = {}) => {
      const result = await client.callTool(
        { name, arguments: { ...input } },
        {
          timeout: 300_000,
          ...(signal ? { signal } : {}),
          ...(onProgress ? { onprogress: ({ message = "" }) => onProgress(message) } : {}),
        },
      );
      const texts = result.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      return { isError: result.isError === true, value: JSON.parse(texts.at(-1) ?? "null"), texts };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
