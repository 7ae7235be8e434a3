import type { StudioData } from "./open_data.ts";

/** A stored event: its number, and its document as JSON. */
export interface StoredEvent {
  readonly id: number;
  readonly document: string;
}

/** Events of one read. */
const MOST_EVENTS = 500;

/** Reads the events after one, oldest first. */
export async function readEventsAfter({ database }: StudioData, after: number): Promise<readonly StoredEvent[]> {
  const sql = "SELECT id, document FROM callweave_events WHERE id > ? ORDER BY id LIMIT ?";
  const { rows } = await database.read({ sql, args: [after, MOST_EVENTS] }, { action: "read events of" });
  return rows.map(({ id, document }) => ({ id: Number(id), document: String(document) }));
}

/** Numbers of the first and of the last stored event; 0 without any. */
export async function eventBounds({
  database,
}: StudioData): Promise<{ readonly first: number; readonly last: number }> {
  // the sequence stays when events are deleted
  const sql = `SELECT coalesce((SELECT min(id) FROM callweave_events), 0) AS first,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'callweave_events'), 0) AS last`;
  const { rows } = await database.read(sql, { action: "read events of" });
  return { first: Number(rows[0]?.first ?? 0), last: Number(rows[0]?.last ?? 0) };
}

/** Adds an event that no trigger writes. */
export async function addEvent({ database }: StudioData, event: object): Promise<void> {
  const sql = "INSERT INTO callweave_events (document) VALUES (?)";
  await database.write([{ sql, args: [JSON.stringify(event)] }], { action: "store event in" });
}
