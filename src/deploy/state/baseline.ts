import * as v from "valibot";
import type { ResourceIds } from "../../../platforms/mod.ts";
import { isRecord, type JsonObject } from "../../base/values/mod.ts";
import type { DeployScope } from "../target/mod.ts";
import {
  fileOwner,
  OWNER_FIELDS,
  ownedText,
  parseOwned,
  readStateFile,
  statePath,
  writeStateFile,
} from "./owned_file.ts";

/** One resource as this machine last applied it, without secrets and with references in place of ids. */
export interface AppliedResource {
  readonly id: string;
  /** As emitted. */
  readonly sent: JsonObject;
  /** As the platform returned it after the write. */
  readonly answered: JsonObject;
}

/** The resources that this machine last applied, by address. */
export interface AppliedResources {
  readonly [address: string]: AppliedResource;
}

const body = v.custom<JsonObject>(isRecord);
export const BASELINE_SCHEMA = v.record(v.string(), v.object({ id: v.string(), sent: body, answered: body }));
const FILE = v.object({ ...OWNER_FIELDS, resources: BASELINE_SCHEMA });

/** How errors call a file of the local state. */
export const STATE_FILE_WORDS = {
  action: "Cannot use the local state",
  what: "the state",
  code: "state-file",
  hint: "Remove the file: the next plan compares without it",
} as const;

/**
 * Reads a baseline; `undefined` if this machine has never applied the agent.
 *
 * @param ids Ids in the lock file: the baseline of a resource with another id, which it had earlier, is left out.
 * @throws {DeployError} `state-file` if it is damaged or of another version, `wrong-place` if it is of another agent.
 */
export async function readBaseline(
  folder: string,
  place: DeployScope,
  ids: ResourceIds,
): Promise<AppliedResources | undefined> {
  const path = statePath(folder, place, "json");
  const text = await readStateFile(path);
  if (text === undefined) return undefined;
  const { resources } = parseOwned({ path, text }, FILE, await fileOwner(folder, place), STATE_FILE_WORDS);
  return Object.fromEntries(Object.entries(resources).filter(([address, { id }]) => ids[address] === id));
}

/** Writes a baseline; `undefined` deletes it. */
export async function writeBaseline(
  folder: string,
  place: DeployScope,
  baseline: AppliedResources | undefined,
): Promise<void> {
  const path = statePath(folder, place, "json");
  const text = baseline && ownedText(await fileOwner(folder, place), { resources: baseline });
  await writeStateFile(path, text);
}
