import { createClient, type InStatement } from "@libsql/client";

/** The schemas of earlier versions, as they were published. Never change them. */
const SCHEMAS: readonly (readonly string[])[] = [
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
      pass INTEGER NOT NULL DEFAULT 0,
      fail INTEGER NOT NULL DEFAULT 0,
      error INTEGER NOT NULL DEFAULT 0,
      imported INTEGER NOT NULL DEFAULT 0,
      cancelled INTEGER NOT NULL DEFAULT 0
    )`,
    "CREATE INDEX callweave_runs_by_kind ON callweave_runs (kind, id)",
    "CREATE INDEX callweave_runs_by_agent ON callweave_runs (agent, id)",
    "CREATE INDEX callweave_runs_by_graph ON callweave_runs (graph_fingerprint, id)",
    `CREATE TABLE callweave_results (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES callweave_runs (id),
      scenario TEXT NOT NULL,
      trial INTEGER NOT NULL,
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
    `CREATE TABLE callweave_result_details (
      result_id TEXT PRIMARY KEY REFERENCES callweave_results (id),
      transcript TEXT NOT NULL,
      verdicts TEXT NOT NULL,
      checks TEXT NOT NULL,
      nodes_visited TEXT NOT NULL,
      tools_called TEXT NOT NULL,
      variables TEXT NOT NULL,
      usage TEXT NOT NULL
    )`,
    `CREATE TRIGGER callweave_results_counted AFTER INSERT ON callweave_results BEGIN
      UPDATE callweave_runs SET
        pass = pass + (NEW.status = 'pass'),
        fail = fail + (NEW.status = 'fail'),
        error = error + (NEW.status = 'error'),
        imported = imported + (NEW.status = 'imported'),
        cancelled = cancelled + (NEW.status = 'cancelled')
      WHERE id = NEW.run_id;
    END`,
  ],
  [
    `CREATE TABLE callweave_recordings (
      key TEXT PRIMARY KEY,
      role TEXT NOT NULL,
      signature TEXT NOT NULL,
      document TEXT NOT NULL
    )`,
    "CREATE INDEX callweave_recordings_by_signature ON callweave_recordings (role, signature, key)",
  ],
];

/** Id of the run in an old database. */
export const OLD_RUN = "d20ppmqmr0pqvmf2dtg9";

/** Ids of its results. They have the same scenario and trial, which older versions allowed. */
export const OLD_RESULTS = ["00000000000000000001", "00000000000000000002"] as const;

const AT = "2026-01-02T03:04:05.678Z";
const GRAPH = {
  entry_node_id: "bye",
  nodes: { bye: { id: "bye", node_type: "end", state_prompt: "Say goodbye.", tools: [], transitions: [] } },
};

/** Creates a database file as an earlier version did, with a run and two results. */
export async function createOldDatabase(path: string, version: 1 | 2): Promise<void> {
  const schemas = SCHEMAS.slice(0, version);
  const client = createClient({ url: `file:${path}` });
  await client.batch(
    [
      "CREATE TABLE callweave_schema (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)",
      ...schemas.flat(),
      ...schemas.map((_, index) => insertion("callweave_schema", [index + 1, AT])),
      insertion("callweave_graphs", ["0b81a2", JSON.stringify(GRAPH)]),
      insertion("callweave_runs", [
        ...[OLD_RUN, "simulated", AT, AT, "farewell", "0b81a2"],
        '{"agent":"offline","caller":"offline","judge":"offline"}',
        ...['{"trials":1}', 0, 0, 0, 0, 0],
      ]),
      ...OLD_RESULTS.flatMap((id) => [
        insertion("callweave_results", [id, OLD_RUN, "says goodbye", 1, "pass", AT, 1, 12.5, "agent_ended", null]),
        insertion("callweave_result_details", [
          ...[id, "[]", "[]", "[]", '["bye"]', "[]", "{}"],
          '{"calls":3,"input_tokens":100,"output_tokens":20,"model_ms":9}',
        ]),
      ]),
    ],
    "write",
  );
  client.close();
}

function insertion(table: string, args: readonly (string | number | null)[]): InStatement {
  return { sql: `INSERT INTO ${table} VALUES (${args.map(() => "?").join(", ")})`, args: [...args] };
}
