import { ScenarioError } from "../../base/errors.ts";
import { isRecord, shown } from "../../base/values/mod.ts";
import type { KnownCall, KnownVerdict } from "./types.ts";

/** Shape of a call with known verdicts, for messages. */
export const KNOWN_CALL = "{ name?, transcript: [{ role, content }], verdicts: [{ criterion, passed }] }";

/** Whether a value is a call with known verdicts. */
export function isKnownCall(value: unknown): value is KnownCall {
  if (!isRecord(value) || (value.name !== undefined && typeof value.name !== "string")) return false;
  const { transcript, verdicts } = value;
  return (
    Array.isArray(transcript) && transcript.every(isLine) && Array.isArray(verdicts) && verdicts.every(isKnownVerdict)
  );
}

/**
 * Reads calls with known verdicts from JSON: a list, or one call. Verdicts can be a list, or an object with `true` or
 * `false` by criterion. Lines of tools and of the system are left out, as the judge does not see them.
 *
 * @throws {ScenarioError} `wrong-type`, with the path.
 */
export function parseKnownCalls(value: unknown): readonly KnownCall[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each, index) => {
    const call = withLists(each);
    if (isKnownCall(call) && call.verdicts.length > 0) return call;
    throw new ScenarioError(`Cannot read known verdicts: entry ${index + 1} is ${shown(each)} of another shape`, {
      code: "wrong-type",
      path: [index],
      hint: `Write each call as ${KNOWN_CALL}`,
    });
  });
}

function withLists(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { transcript, verdicts } = value;
  const spoken = Array.isArray(transcript)
    ? transcript.filter((line: unknown) => !isRecord(line) || (line.role !== "tool" && line.role !== "system"))
    : transcript;
  const listed = isRecord(verdicts)
    ? Object.entries(verdicts).map(([criterion, passed]) => ({ criterion, passed }))
    : verdicts;
  return { ...value, transcript: spoken, verdicts: listed };
}

function isLine(value: unknown): boolean {
  return isRecord(value) && (value.role === "user" || value.role === "assistant") && typeof value.content === "string";
}

function isKnownVerdict(value: unknown): value is KnownVerdict {
  return isRecord(value) && typeof value.criterion === "string" && typeof value.passed === "boolean";
}
