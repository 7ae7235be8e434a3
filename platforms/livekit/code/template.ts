import { PROGRAM } from "../generated/mod.ts";

/** Code of an agent, by the marks at which it stands in the program's texts. */
export type Parts = { readonly [mark: string]: string };

/** Names of the program's texts. */
export type ProgramFile = keyof typeof PROGRAM;

/** A text of the program with the code of an agent at its marks. */
export function fillTemplate(file: ProgramFile, parts: Parts): string {
  return PROGRAM[file].replace(/\/\*([A-Z]+)\*\//g, (mark, name: string) => parts[name] ?? mark);
}
