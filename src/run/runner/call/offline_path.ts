import type { Caller } from "../../../call/callers/mod.ts";
import { followPath, type Model, modelName, type PathFollower } from "../../../call/models/mod.ts";
import type { OfflineTurn, Scenario } from "../../../document/scenario/mod.ts";

/** The models that play a call. */
export interface Players {
  readonly agent: Model;
  readonly caller: Model;
}

/** The path that a call follows because the offline model plays both sides; `undefined`: models or lines decide. */
export function knownPathOf(
  { offline_path: path, says }: Pick<Scenario, "offline_path" | "says">,
  { agent, caller }: { readonly agent: string; readonly caller: string },
): readonly OfflineTurn[] | undefined {
  const isPlayed = [agent, caller].every((name) => name === "callweave/offline" || name === "offline");
  return path && path.length > 0 && says.length === 0 && isPlayed ? path : undefined;
}

/** The caller's lines on a path: at least one, as a call needs a caller. */
export function linesOn(path: readonly OfflineTurn[]): readonly string[] {
  const lines = path.flatMap(({ says }) => says ?? []);
  return lines.length > 0 ? lines : ["Goodbye."];
}

/** The agent and the caller of a call that follows the path of its scenario. */
export interface PathPlayers extends PathFollower {
  /** Says the lines of the path, and hangs up after the reply to the last one. */
  readonly caller: Caller;
  /** Another caller, with whom the path goes on at each line. */
  readonly withCaller: (caller: Caller) => Caller;
}

/** Creates the players of one call. */
export function pathPlayers(scenario: Scenario, { agent, caller }: Players): PathPlayers | undefined {
  const path = knownPathOf(scenario, { agent: modelName(agent), caller: modelName(caller) });
  if (!path) return undefined;
  const opening = path.filter(({ says }) => says === undefined || says === null);
  const follower = followPath([opening[0] ?? {}, ...path.filter((turn) => !opening.includes(turn))]);
  const withCaller = (played: Caller): Caller => ({
    next: async (history, options) => {
      const move = await played.next(history, options);
      if (move.say !== undefined) follower.hear();
      return move;
    },
  });
  const lines = linesOn(path);
  let said = 0;
  const reader: Caller = {
    next: async () => {
      const say = lines[said] ?? "";
      said += 1;
      return said < lines.length ? { say } : { say, hangUp: "caller_ended" };
    },
  };
  return { ...follower, withCaller, caller: withCaller(reader) };
}
