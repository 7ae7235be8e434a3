import { existsSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { checkOptions, OPTION, type OptionRules, shown } from "../graph/mod.ts";
import { connect, type Database } from "./_database.ts";
import { locate } from "./_location.ts";
import { migrate } from "./_migrations.ts";
import type { OpenStoreOptions } from "./open.ts";

/** How long one call of a store may take unless it is opened otherwise. */
const TIMEOUT_MS = 30_000;

const OPTIONS = {
  authToken: OPTION.text,
  timeoutMs: OPTION.milliseconds,
  signal: OPTION.signal,
  create: OPTION.switch,
} satisfies { readonly [Name in keyof Required<OpenStoreOptions>]: OptionRules[string] };

/**
 * Connects to a database of the newest schema.
 *
 * @throws {StoreError} `store-unavailable`, `invalid-option`, `aborted`.
 */
export async function openDatabase(url: string | undefined, options: OpenStoreOptions): Promise<Database> {
  const action = "Cannot open results database";
  checkOptions(options, OPTIONS, StoreError, action);
  if (url !== undefined && typeof url !== "string") {
    const hint = "Pass a path or a URL, or nothing for the default";
    throw new StoreError(`${action}: its address is ${shown(url)}`, { code: "invalid-option", hint });
  }
  const { signal, timeoutMs = TIMEOUT_MS, create = true } = options;
  const location = locate(url, options.authToken);
  if (!create && location.file !== undefined && !existsSync(location.file)) {
    throw new StoreError(`${action} "${location.shown}": there is no such file`, {
      code: "store-unavailable",
      hint: "Check the path; the first run that is stored there makes it",
    });
  }
  const database = await connect(location, timeoutMs);
  try {
    await migrate(database, { signal, create });
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
