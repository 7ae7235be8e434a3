import * as v from "valibot";
import { CallweaveError } from "../../../base/errors.ts";
import { fileProblem, readIfPresent, withLock, writeFileTo } from "../../../base/files/mod.ts";
import { jsonText, own, parsedJson } from "../../../base/values/mod.ts";
import type { WatchReport } from "../../../run/watch/mod.ts";

/** What got worse and was posted, by the name of the watch. */
const Document = v.record(v.string(), v.array(v.string()));

/** What is worse in a report, in a form that stays the same while it is. */
export function alarmsOf({ measures }: Pick<WatchReport, "measures">): readonly string[] {
  return measures
    .filter(({ state }) => state === "worse")
    .map(({ kind, name, judge, threshold }) => JSON.stringify([kind, name, judge, threshold]))
    .sort();
}

/** Reads what a watch has posted; nothing if the file does not exist, or is damaged: it is posted again then. */
export async function readPosted(path: string | undefined, name: string): Promise<readonly string[]> {
  return path === undefined ? [] : (own(await readDocument(path), name) ?? []);
}

/** Records what a watch has posted. */
export async function writePosted(path: string | undefined, name: string, alarms: readonly string[]): Promise<void> {
  if (path === undefined) return;
  try {
    await withLock(path, async () => {
      await writeFileTo(path, jsonText({ ...(await readDocument(path)), [name]: alarms }));
    });
  } catch (cause) {
    const { state, hint } = fileProblem(cause, "write");
    const message = `Cannot write the record of posted reports "${path}": ${state}`;
    throw new CallweaveError(message, { code: "unwritable-file", path: [path], hint, cause });
  }
}

async function readDocument(path: string): Promise<v.InferOutput<typeof Document>> {
  const text = await readIfPresent(path).catch(() => undefined); // writing it reports why
  const document = v.safeParse(Document, parsedJson(text ?? ""));
  return document.success ? document.output : {};
}
