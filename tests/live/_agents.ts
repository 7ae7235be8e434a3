import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const HERE = import.meta.dirname ?? ".";
/** What agents import from their folder. */
const SHARED = ["_tone_agent.mjs", "_tones.mjs"];

/** A LiveKit agent of tests in a place where its imports are found. */
export interface PlacedAgent {
  readonly file: string;
  readonly remove: () => void;
}

/**
 * Copies an agent below the installed LiveKit Agents.
 *
 * @param software Its folder; empty where it is not installed: nothing is copied.
 */
export function placeAgent(software: string, name: string, user: string): PlacedAgent {
  const folder = join(software, `callweave_${user}_${process.pid}`);
  if (software !== "") {
    mkdirSync(folder, { recursive: true });
    for (const each of [name, ...SHARED]) copyFileSync(join(HERE, each), join(folder, each));
  }
  return { file: join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
