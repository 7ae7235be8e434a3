import type { Row } from "@libsql/client";
import { StoreError } from "../../base/errors.ts";
import { shown } from "../../base/values/mod.ts";
import { type ResultSource, standingOf } from "../summary/mod.ts";
import type { Database } from "./database/mod.ts";
import type { Baseline, RunRecord } from "./records.ts";
import { storableText } from "./rows/mod.ts";
import type { WaitOptions } from "./types.ts";

const SELECT = "SELECT name, run_id, set_at FROM callweave_baselines";

/** Reads and writes baselines: names of runs to compare later runs with. */
export class BaselineRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async set(given: string, runId: string, { signal }: WaitOptions): Promise<Baseline> {
    const work = { action: "set baseline in", signal };
    const name = this.#name(given, work.action);
    const sql = `INSERT INTO callweave_baselines (name, run_id, set_at)
      SELECT ?, id, ? FROM callweave_runs WHERE id = ?
      ON CONFLICT (name) DO UPDATE SET run_id = excluded.run_id, set_at = excluded.set_at`;
    const args = [name, new Date().toISOString(), runId];
    const find = { sql: `${SELECT} WHERE name = ? AND run_id = ?`, args: [name, runId] };
    const answers = await this.#database.write([{ sql, args }, find], work);
    const row = answers.at(-1)?.rows[0];
    if (row) return baselineFrom(row);
    throw new StoreError(`Cannot set baseline "${name}": run "${runId}" does not exist any more`, {
      code: "unknown-run",
      hint: "List the runs to see their ids",
    });
  }

  async list({ signal }: WaitOptions): Promise<readonly Baseline[]> {
    const { rows } = await this.#database.read(`${SELECT} ORDER BY name`, { action: "list baselines of", signal });
    return rows.map(baselineFrom);
  }

  async find(name: string, { signal }: WaitOptions): Promise<Baseline | undefined> {
    const statement = { sql: `${SELECT} WHERE name = ?`, args: [storableText(String(name))] };
    const { rows } = await this.#database.read(statement, { action: "find baseline in", signal });
    return rows[0] && baselineFrom(rows[0]);
  }

  async remove(given: string, { signal }: WaitOptions): Promise<Baseline> {
    const work = { action: "remove baseline from", signal };
    const name = this.#name(given, work.action);
    const baseline = await this.find(name, { signal });
    if (!baseline) {
      const state = `it does not exist in "${this.#database.location.shown}"`;
      throw new StoreError(`Cannot remove baseline "${name}": ${state}`, {
        code: "unknown-baseline",
        hint: "List the baselines to see their names",
      });
    }
    await this.#database.write([{ sql: "DELETE FROM callweave_baselines WHERE name = ?", args: [name] }], work);
    return baseline;
  }

  /** @throws {StoreError} `run-is-baseline` when the run is a baseline. */
  async refuseDeletion(runId: string, { signal }: WaitOptions): Promise<void> {
    const statement = { sql: `${SELECT} WHERE run_id = ? ORDER BY name LIMIT 1`, args: [runId] };
    const { rows } = await this.#database.read(statement, { action: "delete run in", signal });
    if (!rows[0]) return;
    const { name } = baselineFrom(rows[0]);
    throw new StoreError(`Cannot delete run "${runId}": it is the baseline "${name}"`, {
      code: "run-is-baseline",
      hint: `Set the baseline to another run, or remove it: callweave runs baseline remove ${name}`,
    });
  }

  #name(given: string, action: string): string {
    if (typeof given === "string" && given.trim() !== "") return storableText(given);
    throw new StoreError(`Cannot ${action} "${this.#database.location.shown}": the name is ${shown(given)}`, {
      code: "invalid-option",
      hint: "Pass a name such as main",
    });
  }
}

/**
 * Refuses an incomplete run as a baseline.
 *
 * @throws {StoreError} `partial-run`.
 */
export async function refusePart(source: ResultSource, run: RunRecord, { signal }: WaitOptions): Promise<void> {
  const { missing } = await standingOf(source, run, { needsSet: false, ...(signal ? { signal } : {}) });
  if (missing.length === 0) return;
  throw new StoreError(`Cannot set a baseline: run ${run.id} is only a part: ${missing.join("; ")}`, {
    code: "partial-run",
    path: [run.id],
    hint: `Complete it: callweave run --resume ${run.id}, or name a run of all scenarios`,
  });
}

function baselineFrom({ name, run_id: runId, set_at: setAt }: Row): Baseline {
  return { name: String(name), runId: String(runId), setAt: String(setAt) };
}
