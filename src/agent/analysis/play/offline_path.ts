import type { OfflineTurn } from "../../../document/scenario/mod.ts";
import type { CallPath } from "../paths/mod.ts";

interface OpenTurn {
  readonly says?: string;
  readonly moves: { readonly to: string | null; readonly complete?: boolean }[];
  readonly extracts: { readonly [variable: string]: string }[];
  readonly tools: string[];
}

/**
 * Writes a path for the offline model: what the caller says, and what the model decides, extracts and calls.
 *
 * @param lines What the caller says, one line for each time that the path hears the caller.
 */
export function offlinePath({ steps }: CallPath, lines: readonly string[]): readonly OfflineTurn[] {
  const turn = (says?: string): OpenTurn => ({
    ...(says === undefined ? {} : { says }),
    moves: [],
    extracts: [],
    tools: [],
  });
  const turns = [turn()];
  for (const step of steps) {
    const now = turns.at(-1);
    if (step.kind === "hear") turns.push(turn(lines[turns.length - 1] ?? ""));
    else if (step.kind === "decide") {
      const to = step.target ?? null;
      now?.moves.push(step.objectivesComplete ? { to } : { to, complete: false });
    } else if (step.kind === "extract") {
      const found = Object.entries(step.values).flatMap(([name, value]) =>
        value === null ? [] : [[name, value] as const],
      );
      now?.extracts.push(Object.fromEntries(found));
    } else if (step.kind === "tool" && step.by === "reply") now?.tools.push(step.tool);
  }
  return turns.map(written).filter((each) => Object.keys(each).length > 0);
}

function written({ says, ...lists }: OpenTurn): OfflineTurn {
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return { ...(says === undefined ? {} : { says }), ...Object.fromEntries(filled) };
}
