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
import { locate, type OpenStoreOptions } from "./location.ts";

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

/** Statements that change the schema from one version to the next. */
export type Migration = readonly string[];

/**
 * What the studio keeps beside the results, and what triggers write for it, whoever stores a result: events in the order
 * of their commits, facts of calls that lists need without reading transcripts, and the calls that the index of their
 * words lacks. The newest 100,000 events are kept.
 */
const STUDIO: Migration = [
  `CREATE TABLE callweave_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document TEXT NOT NULL
  )`,
  `CREATE TRIGGER callweave_events_bounded AFTER INSERT ON callweave_events BEGIN
    DELETE FROM callweave_events WHERE id <= NEW.id - 100000;
  END`,
  `CREATE TRIGGER callweave_runs_started AFTER INSERT ON callweave_runs BEGIN
    INSERT INTO callweave_events (document)
      VALUES (json_object('type', 'run-started', 'run', NEW.id, 'agent', NEW.agent));
  END`,
  `CREATE TRIGGER callweave_runs_ended AFTER UPDATE OF finished_at ON callweave_runs
    WHEN OLD.finished_at IS NULL OR NEW.finished_at IS NULL BEGIN
    INSERT INTO callweave_events (document) VALUES (json_object(
      'type', CASE WHEN NEW.finished_at IS NULL THEN 'run-resumed' ELSE 'run-ended' END, 'run', NEW.id));
  END`,
  `CREATE TRIGGER callweave_runs_deleted AFTER DELETE ON callweave_runs BEGIN
    INSERT INTO callweave_events (document) VALUES (json_object('type', 'run-deleted', 'run', OLD.id));
  END`,
  `CREATE TRIGGER callweave_calls_ended AFTER INSERT ON callweave_results BEGIN
    INSERT INTO callweave_events (document) VALUES (json_object('type', 'call-ended', 'run', NEW.run_id,
      'call', NEW.id, 'scenario', NEW.scenario, 'trial', NEW.trial, 'status', NEW.status));
  END`,
  // score: mean of the judge's scores; confidence: its least one; judged and checked: whether all criteria and all
  // checks passed, null without any
  `CREATE TABLE callweave_call_facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    result_id TEXT NOT NULL UNIQUE,
    indexed INTEGER NOT NULL DEFAULT 0,
    score REAL,
    confidence REAL,
    judged INTEGER,
    checked INTEGER
  )`,
  "CREATE INDEX callweave_call_facts_to_index ON callweave_call_facts (id) WHERE indexed = 0",
  `CREATE TRIGGER callweave_call_facts_found AFTER INSERT ON callweave_result_details BEGIN
    INSERT INTO callweave_call_facts (result_id, score, confidence, judged, checked) ${callFacts("NEW", "")};
  END`,
  `INSERT INTO callweave_call_facts (result_id, score, confidence, judged, checked)
    ${callFacts("d", "FROM callweave_result_details AS d ORDER BY d.result_id")}`,
  "CREATE VIRTUAL TABLE callweave_words USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2')",
  `CREATE TABLE callweave_labels (
    id TEXT PRIMARY KEY,
    call TEXT NOT NULL,
    turn INTEGER,
    criterion TEXT,
    verdict TEXT NOT NULL,
    what TEXT,
    words TEXT,
    author TEXT NOT NULL,
    at TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX callweave_labels_places ON callweave_labels
    (call, author, coalesce(turn, -1), coalesce(criterion, ''))`,
  // what is said of a call goes with it
  `CREATE TRIGGER callweave_call_facts_lost AFTER DELETE ON callweave_result_details BEGIN
    DELETE FROM callweave_words WHERE rowid = (SELECT id FROM callweave_call_facts WHERE result_id = OLD.result_id);
    DELETE FROM callweave_call_facts WHERE result_id = OLD.result_id;
    DELETE FROM callweave_labels WHERE call = OLD.result_id;
  END`,
  `CREATE TABLE callweave_audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    author TEXT NOT NULL,
    role TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT,
    detail TEXT NOT NULL
  )`,
  `CREATE TABLE callweave_tokens (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  )`,
];

/**
 * What `countResults()` tells of the judge's criteria, counted when a result is stored: counted when it is asked for, it
 * reads the verdicts of every call of a run. `first_result` and `place` are for their order.
 */
const CRITERIA: Migration = [
  `CREATE TABLE callweave_criteria (
    run_id TEXT NOT NULL,
    scenario TEXT NOT NULL,
    criterion TEXT NOT NULL,
    first_result TEXT NOT NULL,
    place INTEGER NOT NULL,
    trials INTEGER NOT NULL,
    passes INTEGER NOT NULL,
    agrees INTEGER NOT NULL,
    scored INTEGER NOT NULL,
    scores REAL NOT NULL,
    PRIMARY KEY (run_id, scenario, criterion)
  ) WITHOUT ROWID`,
  `CREATE TRIGGER callweave_criteria_counted AFTER INSERT ON callweave_result_details BEGIN
    ${countCriteria("NEW", "callweave_results AS r", "r.id = NEW.result_id")};
  END`,
  `CREATE TRIGGER callweave_criteria_lost AFTER DELETE ON callweave_runs BEGIN
    DELETE FROM callweave_criteria WHERE run_id = OLD.id;
  END`,
  countCriteria("d", "callweave_result_details AS d JOIN callweave_results AS r ON r.id = d.result_id", "1"),
];

/** Adds the judged criteria of results to their counts. A trial agrees if a criterion passed in it and it did, or neither. */
function countCriteria(details: string, from: string, where: string): string {
  const list = `CASE WHEN json_valid(${details}.verdicts) THEN ${details}.verdicts ELSE '[]' END`;
  const of = (key: string) => `json_extract(v.value, '$.${key}')`;
  const passed = `coalesce(${of("passed")}, 0)`;
  const added = ["trials", "passes", "agrees", "scored", "scores"];
  return `INSERT INTO callweave_criteria (run_id, scenario, criterion, first_result, place, ${added.join(", ")})
    SELECT r.run_id, r.scenario, coalesce(${of("criterion")}, ''), r.id, v.key, 1, ${passed},
      ${passed} = (r.status = 'pass'), ${of("score")} IS NOT NULL, coalesce(${of("score")}, 0)
    FROM ${from}, json_each(${list}) AS v WHERE ${where} AND r.status IN ('pass', 'fail')
    ON CONFLICT (run_id, scenario, criterion) DO UPDATE SET
      place = iif(excluded.first_result < first_result, excluded.place, place),
      first_result = min(first_result, excluded.first_result),
      ${added.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;
}

/** Selects the facts of a call from its details. A damaged row, which readers refuse by name, must not stop a migration. */
function callFacts(details: string, from: string): string {
  const over = (column: string, what: string, key: string) => {
    const list = `CASE WHEN json_valid(${details}.${column}) THEN ${details}.${column} ELSE '[]' END`;
    const value = `json_extract(${list}, '$[' || key || '].${key}')`;
    return `(SELECT ${what}(${value}) FROM json_each(${list}))`;
  };
  return `SELECT ${details}.result_id, ${over("verdicts", "avg", "score")}, ${over("verdicts", "min", "confidence")},
    ${over("verdicts", "min", "passed")}, ${over("checks", "min", "passed")} ${from}`;
}

/**
 * Migrations of the database schema; the first one creates it. Published entries never change; new ones are appended.
 * Table names have a prefix because a server's database may hold other tables. Transcripts and lists have their own
 * table, so that listing results reads few pages.
 */
export const MIGRATIONS: readonly Migration[] = [
  [
    `CREATE TABLE callweave_graphs (
      fingerprint TEXT PRIMARY KEY,
      document TEXT NOT NULL
    )`,
    `CREATE TABLE callweave_runs (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      started_at TEXT NOT NULL,
      finished_at TEXT,
      agent TEXT NOT NULL,
      graph_fingerprint TEXT NOT NULL REFERENCES callweave_graphs (fingerprint),
      models TEXT NOT NULL,
      options TEXT NOT NULL,
      plan TEXT,
      join_name TEXT,
      pass INTEGER NOT NULL DEFAULT 0,
      fail INTEGER NOT NULL DEFAULT 0,
      error INTEGER NOT NULL DEFAULT 0,
      imported INTEGER NOT NULL DEFAULT 0,
      cancelled INTEGER NOT NULL DEFAULT 0,
      invalid INTEGER NOT NULL DEFAULT 0
    )`,
    "CREATE INDEX callweave_runs_by_kind ON callweave_runs (kind, id)",
    "CREATE INDEX callweave_runs_by_agent ON callweave_runs (agent, id)",
    "CREATE INDEX callweave_runs_by_graph ON callweave_runs (graph_fingerprint, id)",
    "CREATE UNIQUE INDEX callweave_runs_by_join_name ON callweave_runs (join_name) WHERE join_name IS NOT NULL",
    `CREATE TABLE callweave_run_parts (
      run_id TEXT NOT NULL REFERENCES callweave_runs (id),
      part INTEGER NOT NULL,
      total INTEGER NOT NULL,
      finished_at TEXT,
      PRIMARY KEY (run_id, part)
    )`,
    `CREATE TABLE callweave_results (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES callweave_runs (id),
      scenario TEXT NOT NULL,
      trial INTEGER NOT NULL,
      attempt INTEGER,
      status TEXT NOT NULL,
      started_at TEXT NOT NULL,
      turn_count INTEGER NOT NULL,
      duration_ms REAL NOT NULL,
      end_reason TEXT,
      error_message TEXT
    )`,
    "CREATE INDEX callweave_results_by_run ON callweave_results (run_id, id)",
    "CREATE INDEX callweave_results_by_scenario ON callweave_results (scenario, id)",
    "CREATE INDEX callweave_results_by_status ON callweave_results (status, id)",
    "CREATE INDEX callweave_results_by_run_and_scenario ON callweave_results (run_id, scenario, status, id)",
    "CREATE INDEX callweave_results_by_run_and_status ON callweave_results (run_id, status, id)",
    // rows without an attempt, such as imported calls, may repeat a scenario and trial
    `CREATE UNIQUE INDEX callweave_results_slots ON callweave_results (run_id, scenario, trial, attempt)
      WHERE attempt IS NOT NULL`,
    `CREATE TABLE callweave_result_details (
      result_id TEXT PRIMARY KEY REFERENCES callweave_results (id),
      transcript TEXT NOT NULL,
      verdicts TEXT NOT NULL,
      checks TEXT NOT NULL,
      nodes_visited TEXT NOT NULL,
      tools_called TEXT NOT NULL,
      variables TEXT NOT NULL,
      usage TEXT NOT NULL,
      extra TEXT
    )`,
    // a trigger keeps the counts right whoever writes, and counts a result only once if it is written twice
    `CREATE TRIGGER callweave_results_counted AFTER INSERT ON callweave_results BEGIN
      UPDATE callweave_runs SET
        pass = pass + (NEW.status = 'pass'),
        fail = fail + (NEW.status = 'fail'),
        error = error + (NEW.status = 'error'),
        imported = imported + (NEW.status = 'imported'),
        cancelled = cancelled + (NEW.status = 'cancelled'),
        invalid = invalid + (NEW.status = 'invalid')
      WHERE id = NEW.run_id;
    END`,
    `CREATE TABLE callweave_baselines (
      name TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES callweave_runs (id),
      set_at TEXT NOT NULL
    )`,
    "CREATE INDEX callweave_baselines_by_run ON callweave_baselines (run_id)",
    `CREATE TABLE callweave_recordings (
      key TEXT PRIMARY KEY,
      role TEXT NOT NULL,
      signature TEXT NOT NULL,
      document TEXT NOT NULL
    )`,
    "CREATE INDEX callweave_recordings_by_signature ON callweave_recordings (role, signature, key)",
  ],
  STUDIO,
  CRITERIA,
  [
    // finished calls that wait for their verdicts; one that was cancelled meanwhile can still be judged
    `CREATE TABLE callweave_unjudged_calls (
      id TEXT NOT NULL,
      run_id TEXT NOT NULL REFERENCES callweave_runs (id),
      scenario TEXT NOT NULL,
      trial INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (run_id, scenario, trial)
    )`,
    `CREATE TRIGGER callweave_unjudged_calls_settled AFTER INSERT ON callweave_results WHEN NEW.status <> 'cancelled' BEGIN
      DELETE FROM callweave_unjudged_calls
        WHERE run_id = NEW.run_id AND scenario = NEW.scenario AND trial = NEW.trial;
    END`,
  ],
];

const HAS_VERSIONS = "SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name = 'callweave_schema'";
const READ_VERSION = "SELECT coalesce(max(version), 0) AS version FROM callweave_schema";

/**
 * Migrates a database to the current schema, or does nothing if it is current. Concurrent processes wait for each
 * other; the first one migrates.
 *
 * @param create Whether to create the schema in an empty database.
 * @param migrations Those of this version of Callweave; their number is the version of the schema.
 * @throws {StoreError} `store-unavailable`, also when the schema is newer than this code.
 */
export async function migrate(
  database: Database,
  { signal, create }: { readonly signal: AbortSignal | undefined; readonly create: boolean },
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const { shown, kind } = database.location;
  const work = { action: "open results database", code: "store-unavailable", signal, tries: 1 } as const;
  const versioned = await database.read(HAS_VERSIONS, work);
  if (!create && versioned.rows[0]?.found === 0) throw empty(shown);
  // WAL lets readers and the writer of a file work at the same time; servers manage this themselves
  if (kind === "file") await database.read("PRAGMA journal_mode = WAL", work);
  if (versioned.rows[0]?.found !== 0) {
    const version = Number((await database.read(READ_VERSION, work)).rows[0]?.version);
    refuseNewer(version, migrations.length, shown);
    if (version === migrations.length) return;
  }
  await database.alone(work, async (transaction) => {
    await transaction.execute(
      "CREATE TABLE IF NOT EXISTS callweave_schema (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)",
    );
    const version = Number((await transaction.execute(READ_VERSION)).rows[0]?.version);
    refuseNewer(version, migrations.length, shown);
    for (const [index, statements] of migrations.entries()) {
      if (index < version) continue;
      for (const statement of statements) await transaction.execute(statement);
      const args = [index + 1, new Date().toISOString()];
      await transaction.execute({ sql: "INSERT INTO callweave_schema (version, applied_at) VALUES (?, ?)", args });
    }
  });
}

function empty(shown: string): StoreError {
  return new StoreError(`Cannot open results database "${shown}": it contains no Callweave tables`, {
    code: "store-unavailable",
    hint: "Check that it is the right database; the first stored run creates the tables",
  });
}

function refuseNewer(version: number, supported: number, shown: string): void {
  if (version <= supported) return;
  const state = `it was written by a newer Callweave (schema ${version}, this one supports ${supported})`;
  throw new StoreError(`Cannot open results database "${shown}": ${state}`, {
    code: "store-unavailable",
    hint: "Update Callweave, or choose another database with CALLWEAVE_DB_URL",
  });
}
