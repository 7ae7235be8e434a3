import { join } from "node:path";
import { ModelError } from "../../base/errors.ts";
import { fileProblem, writeFileTo } from "../../base/files/mod.ts";

const ENDINGS = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/mp3", "mp3"],
]);
/** Maximum length of a part of a file name. */
const LONGEST = 60;

/**
 * Writes the sound of a message to a file that only this user can read, named after its place: `order-1-1-03-user.wav`.
 *
 * @throws {ModelError} `unwritable-file`.
 */
export async function keepSound(
  folder: string,
  place: readonly (string | number)[],
  sound: Uint8Array,
  mediaType: string,
): Promise<void> {
  const words = place.map((part) =>
    String(part)
      .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
      .slice(0, LONGEST),
  );
  const ending = ENDINGS.get(mediaType) ?? mediaType.replace(/^.*\//, "").replaceAll(/\W/g, "");
  const path = join(folder, `${words.join("-")}.${ending}`);
  try {
    await writeFileTo(path, sound, { mode: 0o600 });
  } catch (error) {
    const { state, hint } = fileProblem(error, "write");
    throw new ModelError(`Cannot keep the sound of a message in "${folder}": ${state}`, {
      code: "unwritable-file",
      path: ["audio", "keep"],
      hint,
      cause: error,
    });
  }
}
