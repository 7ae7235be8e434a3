import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { ModelError } from "../../errors.ts";
import { makeFolder } from "../../files/mod.ts";
import { checkOptions, OPTION } from "../../graph/mod.ts";
import type { CassetteStore } from "./cassette.ts";
import type { Recording } from "./recording.ts";
import { redacted } from "./redacted.ts";

const Content = v.variant("type", [
  v.object({ type: v.literal("text"), text: v.string() }),
  v.object({ type: v.literal("tool-call"), toolCallId: v.string(), toolName: v.string(), input: v.string() }),
]);

/** One recording, as files and databases hold it. */
export const RecordingDocument = v.object({
  key: v.string(),
  role: v.picklist(["agent", "caller", "judge"]),
  signature: v.picklist(["transition", "respond", "fused", "extract", "arguments", "caller", "judge", "flow"]),
  model: v.string(),
  trial: v.number(),
  occurrence: v.number(),
  slice: v.string(),
  request: v.array(v.string()),
  content: v.array(Content),
  finish_reason: v.picklist(["stop", "length", "content-filter", "tool-calls", "error", "interrupted", "other"]),
});

const CassetteDocument = v.object({ version: v.literal(1), recordings: v.array(RecordingDocument) });

/**
 * Recordings in a JSON file that goes into version control: sorted, a line of a prompt a line of the file. It is read
 * at first use and written by `flush`, whole and at once; what another process has added meanwhile is kept.
 *
 * @throws {ModelError} `invalid-option`; from its methods: `recording-unreadable`, when the file is none of ours.
 */
export function fileCassette(path: string): CassetteStore {
  const given = { path: path ?? null };
  checkOptions(given, { path: OPTION.text }, ModelError, "Cannot use recordings");
  const added = new Map<string, Recording>();
  let read: Promise<Map<string, Recording>> | undefined;
  const known = () => {
    read ??= readRecordings(path);
    return read;
  };
  return {
    find: async (key) => added.get(key) ?? (await known()).get(key),
    add: async (recording) => void added.set(recording.key, redacted(recording)),
    like: async (role, signature) =>
      [...(await known()).values(), ...added.values()].filter(
        (recording) => recording.role === role && recording.signature === signature,
      ),
    flush: async () => {
      if (added.size === 0) return;
      const all = new Map([...(await readRecordings(path)), ...added]);
      await writeRecordings(path, [...all.values()]);
      added.clear();
      read = Promise.resolve(all);
    },
  };
}

async function readRecordings(path: string): Promise<Map<string, Recording>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return new Map(); // the file begins with its first recording
  }
  try {
    const { recordings } = v.parse(CassetteDocument, JSON.parse(text));
    return new Map(recordings.map((recording) => [recording.key, recording]));
  } catch (cause) {
    throw new ModelError(`Cannot read the recordings in "${path}": they are not of this form`, {
      code: "recording-unreadable",
      path: [path],
      hint: "Name another file, or delete it and record anew",
      cause,
    });
  }
}

async function writeRecordings(path: string, recordings: Recording[]): Promise<void> {
  const order = ({ role, signature, key }: Recording) => `${role} ${signature} ${key}`;
  const sorted = recordings.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  await makeFolder(dirname(path));
  const whole = `${path}.${crypto.randomUUID()}.tmp`;
  await writeFile(whole, `${JSON.stringify({ version: 1, recordings: sorted }, null, 2)}\n`);
  await rename(whole, path);
}
