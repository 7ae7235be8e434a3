import { SYSTEM_CLOCK } from "../../../src/base/values/mod.ts";
import { connect } from "../../../src/run/store/database/database.ts";
import { locate } from "../../../src/run/store/database/location.ts";
import { MIGRATIONS, type Migration, migrate } from "../../../src/run/store/database/open_database.ts";

/** Two migrations that a later version could have; the second one needs the first. */
export const NEXT: readonly Migration[] = [
  ...MIGRATIONS,
  ["ALTER TABLE callweave_runs ADD COLUMN team TEXT NOT NULL DEFAULT 'nobody'"],
  [
    "CREATE TABLE callweave_teams (name TEXT PRIMARY KEY)",
    "INSERT INTO callweave_teams (name) SELECT DISTINCT team FROM callweave_runs",
  ],
];

/** Migrates a database file as a version of Callweave with these migrations does. */
export async function migrateTo(path: string, migrations: readonly Migration[]): Promise<void> {
  const timing = { timeoutMs: 60_000, requestTimeoutMs: 30_000, clock: SYSTEM_CLOCK };
  const database = await connect(locate(path, undefined), timing);
  try {
    await migrate(database, { signal: undefined, create: true }, migrations);
  } finally {
    await database.close();
  }
}
