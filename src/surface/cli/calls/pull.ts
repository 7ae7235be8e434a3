import { dirname, join } from "node:path";
import { PLATFORMS, PULL_PLATFORMS } from "../../../../platforms/mod.ts";
import { PlatformError } from "../../../base/errors.ts";
import { defined } from "../../../base/values/mod.ts";
import { KIND } from "../../../document/settings/mod.ts";
import type { PullPlatform } from "../../../run/calls/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { agentOfFlag, pseudonymsOf, REDACT_FLAGS, reportImport } from "./import.ts";

/** Name of the file beside the results database that records what was pulled. */
export const STATE = "pulls.json";

/** `callweave calls pull`. */
export const callsPullCommand: Command = {
  name: "calls pull",
  summary: "Read calls from a platform, and store them as a run",
  spec: {
    positionals: [],
    flags: {
      from: { value: "PLATFORM", description: PULL_PLATFORMS.join(" or ") },
      since: { value: "TIME", description: "Start: an age such as 90m, 12h, 1d, 2w, or a date (default: 1d)" },
      until: { value: "TIME", description: "End, in the same forms (default: now)" },
      agent: { value: "SOURCE", description: "The agent of the calls, to map their nodes to" },
      export: { value: "NAME", description: "Which agent of the module, if it exports several" },
      "agent-id": { value: "ID", description: "Only calls of this agent or assistant, by its id on the platform" },
      limit: { value: "N", kind: KIND.count, description: "Maximum number of calls to read" },
      redact: { description: "Replace names, numbers and addresses by pseudonyms before anything is stored" },
      ...REDACT_FLAGS,
      all: { description: `List all calls again, also those that earlier pulls read` },
      "base-url": { value: "URL", description: "URL of the API, such as a proxy's" },
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print the report as JSON" },
    },
  },
  notes: [
    `The API key is read from ${PULL_PLATFORMS.map((name) => PLATFORMS[name].connection.keyVariable).join(" or ")}.`,
    "A pull that was stopped, or failed, has stored what it read: run the same command again to resume it.",
    `What was read is recorded in ${STATE} beside the results database, or in .callweave/ for one on a server.`,
    "A repeated pull lists only new intervals, the last hour, and calls that were unfinished.",
    "Exit code 3 when the platform cannot be read, or a call is damaged.",
  ],
  examples: [
    `callweave calls pull --from ${EXAMPLE.calls} --since 1d --agent flow.ts`,
    `callweave calls pull --from ${EXAMPLE.otherCalls} --since 2024-05-01 --until 2024-06-01 --agent-id 5f0c… --redact`,
  ],
  run: async (args, terminal) => {
    const from = platformOf(args.text("from"));
    const now = Date.now();
    const since = timeOf("since", args.text("since") ?? "1d", now);
    const untilText = args.text("until");
    const limit = args.number("limit");
    const key = keyOf(from, terminal);
    const agent = await agentOfFlag(args, terminal);
    const [{ createPseudonymizer, pullCalls }, { openStore, spoolWarnings }] = await Promise.all([
      import("../../../run/calls/mod.ts"),
      import("../../../run/store/mod.ts"),
    ]);
    await using store = await openStore(args.text("db"), { signal: terminal.signal });
    for (const warning of spoolWarnings(store.status())) terminal.err(`warning: ${warning}\n`);
    const [agentId, baseUrl] = [args.text("agent-id"), args.text("base-url")];
    const report = await pullCalls(from, {
      ...agent,
      key,
      since,
      ...(untilText === undefined ? {} : { until: timeOf("until", untilText, now) }),
      ...(limit === undefined ? {} : { limit }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(baseUrl === undefined ? {} : { baseUrl: addressOf(baseUrl) }),
      ...(args.has("all") ? {} : defined({ state: stateFile(args.text("db"), STATE) })),
      ...(args.has("redact") ? { redact: await createPseudonymizer(await pseudonymsOf(args, terminal)) } : {}),
      store,
      signal: terminal.signal,
    });
    return reportImport(report, store, args, terminal);
  },
};

/** @throws {UsageError} `usage`. */
export function platformOf(text: string | undefined): PullPlatform {
  const found = PULL_PLATFORMS.find((name) => name === text);
  if (found !== undefined) return found;
  const hint = `Write ${PULL_PLATFORMS.map((name) => `--from ${name}`).join(" or ")}`;
  throw usage(text === undefined ? "--from is missing" : `--from is "${text}"`, hint);
}

/** Path of a file beside the results database, or in `.callweave/` for a server's; none for a database in memory. */
export function stateFile(db: string | undefined, name: string): string | undefined {
  if (db === ":memory:") return undefined;
  const path = db === undefined || /^(?!file:)\w+:\/\//.test(db) ? undefined : db.replace(/^file:(?:\/\/(?=\/))?/, "");
  return join(path === undefined ? ".callweave" : dirname(path), name);
}

function keyOf(from: PullPlatform, { env }: Terminal): string {
  const { keyVariable } = PLATFORMS[from].connection;
  const key = env[keyVariable]?.trim();
  if (key) return key;
  throw new PlatformError(`Cannot pull calls: ${keyVariable} is not set`, {
    code: "platform-key",
    hint: `Set ${keyVariable} to an API key of the workspace that holds the calls`,
  });
}

const UNITS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses an age such as `12h`, in milliseconds; `undefined` for another text. */
export function ageIn(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

/** Parses an age, `12h`, or a date of ISO 8601. */
function timeOf(flag: string, text: string, now: number): Date {
  const age = ageIn(text);
  if (age !== undefined) return new Date(now - age);
  const time = /^\d{4}-\d\d/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw usage(`--${flag} is "${text}"`, "Write an age such as 90m, 12h, 1d or 2w, or a date such as 2024-05-20");
}

/** @throws {UsageError} `usage`. */
export function addressOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw usage(`the base URL is "${text}"`, "Write a URL, such as --base-url http://127.0.0.1:4000");
}
