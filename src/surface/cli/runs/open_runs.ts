import type { Store } from "../../../run/store/mod.ts";
import type { Arguments } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";

/** Opens the results database of a command that reads it, and warns of spool files that are not in it. */
export async function openRuns(args: Arguments, terminal: Terminal): Promise<Store> {
  const { openStore, spoolWarnings } = await import("../../../run/store/mod.ts");
  const store = await openStore(args.text("db"), { signal: terminal.signal, create: false });
  for (const warning of spoolWarnings(store.status())) terminal.err(`warning: ${warning}\n`);
  return store;
}
