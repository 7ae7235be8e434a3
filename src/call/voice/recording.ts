import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileTo } from "../../base/files/mod.ts";
import { type SoundMark, writePcmWave } from "../audio/mod.ts";
import type { AgentSound } from "./agent_sound.ts";

/** What a call sounded like: the caller on the left, the agent on the right, and marks at the turns. */
export class Recording {
  readonly #folder: string;
  readonly #caller: { readonly from: number; readonly samples: Int16Array }[] = [];
  readonly #marks: SoundMark[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds what the caller says at a place. */
  add(from: number, samples: Int16Array): void {
    this.#caller.push({ from, samples });
  }

  mark(place: number, label: string): void {
    this.#marks.push({ place, label });
  }

  /**
   * Writes the recording to a file that only this user can read.
   *
   * @param until End of the call.
   * @returns URL of the file.
   * @throws The file system's error.
   */
  async save(name: string, agent: AgentSound, { rate, until }: { readonly rate: number; readonly until: number }) {
    const left = new Int16Array(until);
    for (const { from, samples } of this.#caller) if (from < until) left.set(samples.subarray(0, until - from), from);
    const marks = this.#marks.filter(({ place }) => place <= until).toSorted((one, other) => one.place - other.place);
    const right = agent.read({ from: 0, until });
    const sound = writePcmWave({ rate, channels: [left, right] }, marks);
    const path = join(this.#folder, `${name}.wav`);
    await writeFileTo(path, sound, { mode: 0o600 });
    return pathToFileURL(path).href;
  }
}
