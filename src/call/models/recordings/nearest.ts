import { shorten } from "../../../base/values/mod.ts";
import type { CallIdentity, Recording } from "./recording.ts";

/** Describes the recording nearest to a call that was not recorded, and the difference. */
export function describeNearest(
  recordings: readonly Recording[],
  identity: CallIdentity,
  request: readonly string[],
): string {
  let nearest: Recording | undefined;
  let most = -1;
  const lines = new Set(request);
  for (const recording of recordings) {
    const shared = recording.request.filter((line) => lines.has(line)).length;
    const sameCall = recording.scenario === identity.scenario && recording.trial === identity.trial;
    // among equally near ones, prefers the same call
    const likeness = shared / Math.max(recording.request.length, request.length, 1) + (sameCall ? 1e-9 : 0);
    if (likeness > most) [nearest, most] = [recording, likeness];
  }
  if (!nearest) return "Nothing of its kind was recorded";
  return `The nearest recording ${difference(nearest, identity, request)}`;
}

function difference(recording: Recording, identity: CallIdentity, request: readonly string[]): string {
  const line = request.findIndex((text, index) => text !== recording.request[index]);
  if (line >= 0)
    return `has in line ${line + 1} ${quoted(recording.request[line])} instead of ${quoted(request[line])}`;
  if (recording.request.length > request.length) return `goes on with ${quoted(recording.request[request.length])}`;
  if (recording.model !== identity.model) return `is of the model ${recording.model} instead of ${identity.model}`;
  if (recording.scenario !== identity.scenario)
    return `is of scenario ${quoted(recording.scenario)} instead of ${quoted(identity.scenario)}`;
  if (recording.trial !== identity.trial) return `is of trial ${recording.trial} instead of ${identity.trial}`;
  if (recording.slice !== identity.slice) return "is of the node as it was before it was edited";
  return `is number ${recording.occurrence + 1} of its kind in the call instead of ${identity.occurrence + 1}`;
}

function quoted(line: string | undefined): string {
  if (line === undefined) return "nothing";
  return JSON.stringify(shorten(line, 120));
}
