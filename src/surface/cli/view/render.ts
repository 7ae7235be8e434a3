import { askChild } from "../../project/mod.ts";
import type { ViewPicture } from "../../web/mod.ts";

export interface ViewedSource {
  readonly path: string;
  readonly exportName: string | undefined;
  readonly format: string | undefined;
}

/** A picture, or the error as the command line prints it. */
export type Rendered = { readonly picture: ViewPicture } | { readonly error: string };

/**
 * Draws and checks an agent in a separate process, so that every save loads all modules afresh, and an endless loop can
 * be stopped.
 *
 * @param signal Stops the process; the result is `undefined` then.
 */
export async function render(source: ViewedSource, signal: AbortSignal): Promise<Rendered | undefined> {
  const script = new URL("./render_child", import.meta.url);
  const stdio = ["ignore", 2, "inherit", "ipc"] as const; // standard output is for the address
  const answer = await askChild({ script, request: source, stdio: [...stdio], signal });
  if (answer && "problem" in answer) return { error: `error: Cannot load "${source.path}": ${answer.problem}` };
  return answer?.message as Rendered | undefined; // of render_child.ts
}
