import { canonicalJson } from "../../base/values/mod.ts";
import { REPLIES_PER_REQUEST } from "../../call/judges/mod.ts";
import { judgedReplyRules, type Scenario } from "../../document/scenario/mod.ts";
import type { Call, Message, Verdict } from "../../document/transcript/mod.ts";
import type { SharedReplies } from "../runner/mod.ts";

type Transcript = readonly Message[];
type Verdicts = readonly (readonly Verdict[])[];

/**
 * Judges the replies of short calls together: calls with the same rules share requests, in their order, so that a request
 * is about 20 replies or more as long as there are so many. The first call of a group to be judged pays for it.
 */
export function shareReplies(
  documents: readonly Scenario[],
  callsOf: (name: string) => readonly Pick<Call, "transcript">[],
): SharedReplies {
  const byRules = new Map<string, Transcript[]>();
  for (const document of documents) {
    const key = canonicalJson(judgedReplyRules(document));
    const transcripts = callsOf(document.name).map(({ transcript }) => transcript);
    byRules.set(key, [...(byRules.get(key) ?? []), ...transcripts]);
  }
  const groups = new Map<string, readonly Transcript[][]>();
  const judged = new Map<readonly Transcript[], Promise<Verdicts>>();
  return (rules, transcript, { count, judge }) => {
    const key = canonicalJson(rules);
    const grouped = groups.get(key) ?? inGroups(byRules.get(key) ?? [], count);
    groups.set(key, grouped);
    const group = grouped.find((each) => each.includes(transcript));
    if (!group) return undefined;
    const verdicts = judged.get(group) ?? judge({ transcripts: group });
    judged.set(group, verdicts);
    return verdicts.then(
      (all) => all[group.indexOf(transcript)] ?? [],
      (error: unknown) => {
        judged.delete(group); // the next call of the group asks again
        throw error;
      },
    );
  };
}

/** Calls in a row with at least as many replies together as one request holds. */
function inGroups(
  transcripts: readonly Transcript[],
  count: (transcript: Transcript) => number,
): readonly Transcript[][] {
  const groups: Transcript[][] = [];
  let room = 0;
  for (const transcript of transcripts) {
    if (room <= 0) {
      groups.push([]);
      room = REPLIES_PER_REQUEST;
    }
    groups.at(-1)?.push(transcript);
    room -= count(transcript);
  }
  return groups;
}
