import * as v from "valibot";
import { ID, type PlatformClient } from "../../../src/base/http/mod.ts";
import { isRecord, type JsonObject, sameJson } from "../../../src/base/values/mod.ts";
import { type RemoteResource, sendIfPresent } from "../../deploying/mod.ts";
import { merge } from "../../lens/mod.ts";
import { isText } from "../shared/mod.ts";

/** Name of a version that Callweave wrote and promoted. */
export const PROMOTED = "callweave";
/** Begins the name of one that it did not promote; the id of the main version at that time follows. */
const DRAFT = "callweave draft from ";

/** Name of a draft. */
export const draftName = (main: string) => `${DRAFT}${main}`;

/** Path of an assistant, or of something below it. */
export const assistantPath = (id: string, ...rest: readonly string[]) =>
  ["/ai/assistants", id, ...rest].map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join("/");

/** The versions of an assistant that matter for a deployment. */
export interface AssistantVersions {
  /** The version that answers calls, but for those of a canary. */
  readonly main: RemoteResource;
  /** The version that a deployment works on: the newest one, or a draft with what was changed in the main version since. */
  readonly latest: RemoteResource;
  /** Whether `latest` is the main version. */
  readonly isMain: boolean;
  /** Whether `latest` is stored: a draft that was behind the main version is not. */
  readonly isStored: boolean;
  readonly count: number;
}

/**
 * Reads the versions of an assistant.
 *
 * @param main The answer for the assistant itself, which is its main version.
 * @param asAssistant Reads an answer.
 */
export async function versionsOf(
  client: PlatformClient,
  main: JsonObject,
  asAssistant: (answer: JsonObject) => Promise<RemoteResource>,
): Promise<AssistantVersions> {
  const id = String(main.id);
  const request = {
    method: "GET",
    path: assistantPath(id, "versions"),
    about: `the versions of assistant ${id}`,
    answer: v.looseObject({ data: v.array(VERSION) }),
  } as const;
  const answers = (await sendIfPresent(client, request))?.data ?? [];
  const known = answers.find((each) => each.version_id === main.version_id);
  if (!isText(main.version_id) || !known || answers.some((each) => each.id !== id))
    throw client.unusable(request, "lacks the main version, or has those of another assistant");
  const sorted = answers.toSorted((one, other) => timeOf(other) - timeOf(one));
  const [newest = known] = sorted;
  const now = await asAssistant(main);
  const found = { main: now, isStored: true, count: answers.length };
  if (newest.version_id !== main.version_id) return { ...found, latest: await asAssistant(newest), isMain: false };
  // each version of ours has what those before it have
  const draft = sorted.find(({ version_name: name }) => isText(name) && name.startsWith(PROMOTED));
  const base = draft && answers.find((each) => each.version_id === baseOf(draft));
  if (!draft || !base || draft.version_id === main.version_id) return { ...found, latest: now, isMain: true };
  const [before, ours] = [await asAssistant(base), await asAssistant(draft)];
  const body = merge(ours.body, before.body, now.body, { keys: ["id", "name"] });
  // one that was promoted in the portal has left something in the versions after it
  const isPending = isRecord(body) && !sameJson(body, now.body) && !holdsAnyOf(now.body, before.body, ours.body);
  if (!isPending || !isRecord(body)) return { ...found, latest: now, isMain: true };
  return { ...found, latest: { ...ours, body }, isMain: false, isStored: false };
}

/** A version, as a list has it. */
const VERSION = v.looseObject({
  id: ID,
  instructions: v.string(),
  version_id: ID,
  version_name: v.nullish(v.string()),
  version_created_at: v.string(),
});

const timeOf = ({ version_created_at: time }: JsonObject) => Date.parse(String(time)) || 0;

function baseOf({ version_name: name }: JsonObject): string | undefined {
  return isText(name) && name.startsWith(DRAFT) ? name.slice(DRAFT.length) : undefined;
}

/** Whether a value has anything of a change, as the change made it. */
function holdsAnyOf(now: unknown, before: unknown, after: unknown): boolean {
  if (sameJson(before, after)) return false;
  if (isRecord(before) && isRecord(after) && isRecord(now))
    return Object.keys({ ...before, ...after }).some((key) => holdsAnyOf(now[key], before[key], after[key]));
  if (Array.isArray(before) && Array.isArray(after) && Array.isArray(now) && before.length === after.length)
    return before.some((each, at) => holdsAnyOf(now[at], each, after[at]));
  return sameJson(now, after);
}
