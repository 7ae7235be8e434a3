import { existsSync } from "node:fs";
import { StoreError } from "../../../base/errors.ts";
import {
  type Clock,
  checkOptions,
  OPTION,
  type OptionRules,
  rule,
  SYSTEM_CLOCK,
  shown,
} from "../../../base/values/mod.ts";
import { connect, type Database } from "./database.ts";
import { locate } from "./location.ts";
import { migrate } from "./migrations.ts";
import type { OpenStoreOptions } from "./open_options.ts";

/** Default limit of one call of a store. */
const TIMEOUT_MS = 30_000;
/** Default limit of one write request. */
const REQUEST_TIMEOUT_MS = 10_000;

const OPTIONS = {
  authToken: OPTION.text,
  storeTimeoutMs: OPTION.milliseconds,
  requestTimeoutMs: OPTION.milliseconds,
  spool: rule("the path of a folder, or false", (value) => value === false || OPTION.text.accepts(value)),
  recover: OPTION.switch,
  signal: OPTION.signal,
  create: OPTION.switch,
} satisfies { readonly [Name in keyof Required<OpenStoreOptions>]: OptionRules[string] };

/**
 * Connects to a database and migrates it to the current schema.
 *
 * @throws {StoreError} `store-unavailable`, `invalid-option`, `aborted`.
 */
export async function openDatabase(
  url: string | undefined,
  options: OpenStoreOptions,
  clock: Clock = SYSTEM_CLOCK,
): Promise<Database> {
  const action = "Cannot open results database";
  checkOptions(options, OPTIONS, StoreError, action);
  if (url !== undefined && typeof url !== "string") {
    const hint = "Pass a path or a URL, or nothing for the default";
    throw new StoreError(`${action}: its URL is ${shown(url)}`, { code: "invalid-option", hint });
  }
  const { signal, storeTimeoutMs: timeoutMs = TIMEOUT_MS, create = true } = options;
  const requestTimeoutMs = Math.min(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS, timeoutMs);
  const location = locate(url, options.authToken);
  if (!create && location.file !== undefined && !existsSync(location.file)) {
    throw new StoreError(`${action} "${location.shown}": the file does not exist`, {
      code: "store-unavailable",
      hint: "Check the path; the first stored run creates the file",
    });
  }
  const database = await connect(location, { timeoutMs, requestTimeoutMs, clock });
  try {
    await migrate(database, { signal, create });
    database.rememberFile();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
