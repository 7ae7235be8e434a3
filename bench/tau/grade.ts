import type { EndReason, Message } from "../../src/document/transcript/mod.ts";
import type { Database } from "./database.ts";
import { useTool } from "./retail_tools.ts";
import type { Task } from "./tasks.ts";

/** A part of a task's reward: `DB` for the end state, `COMMUNICATE` for what was said, `NL_ASSERTION` for what a judge says. */
export type RewardPart = Task["evaluation_criteria"]["reward_basis"][number];

/** Ends after which a call is graded; any other has the reward 0. */
const GRADED_ENDS: readonly (EndReason | undefined)[] = [
  "agent_ended",
  "agent_transferred",
  "caller_ended",
  "caller_exhausted",
];

/**
 * The database after the expected actions of a task, on a copy. As in tau2-bench, an action that fails is left out, with
 * what it changed before.
 */
export function expectedDatabase({ evaluation_criteria: { actions } }: Task, database: Database): Database {
  const copy = structuredClone(database);
  for (const { name, arguments: args } of actions ?? []) {
    try {
      useTool(copy, name, args);
    } catch {
      // the expected end state is that of the other actions
    }
  }
  return copy;
}

/** Information that the agent said nowhere, by tau2-bench's rule: its words without commas contain it, ignoring case. */
export function unsaid({ evaluation_criteria: { communicate_info: infos } }: Task, transcript: readonly Message[]) {
  const said = transcript.flatMap(({ role, content }) =>
    role === "assistant" ? [content.toLowerCase().replaceAll(",", "")] : [],
  );
  return (infos ?? []).filter((info) => !said.some((words) => words.includes(info.toLowerCase())));
}

/** What is known of a finished call. */
export interface GradedCall {
  readonly endReason?: EndReason | undefined;
  readonly isDatabaseRight: boolean;
  readonly unsaid: readonly string[];
  /** Whether the judge's model says that each assertion in words holds; `undefined`: there is no judge. */
  readonly assertionsHold: boolean | undefined;
}

/** The reward of a call, 0 or 1, and its parts. `unjudged`: parts of the task that no judge was there for. */
export interface Reward {
  readonly reward: number;
  readonly parts: { readonly [Part in RewardPart]?: number };
  readonly unjudged: readonly RewardPart[];
}

/** Grades a call as tau2-bench does: the product of the parts that the task names. */
export function rewardOf(
  { evaluation_criteria: { reward_basis: basis, nl_assertions } }: Task,
  call: GradedCall,
): Reward {
  const hasAssertions = (nl_assertions ?? []).length > 0;
  const judged = hasAssertions ? call.assertionsHold : true;
  const parts = {
    DB: Number(call.isDatabaseRight),
    COMMUNICATE: Number(call.unsaid.length === 0),
    ...(judged === undefined ? {} : { NL_ASSERTION: Number(judged) }),
  };
  const isGraded = GRADED_ENDS.includes(call.endReason);
  const known = basis.flatMap((part) => parts[part] ?? []);
  return {
    reward: isGraded ? known.reduce((product, part) => product * part, 1) : 0,
    parts,
    unjudged: basis.filter((part) => parts[part] === undefined),
  };
}
