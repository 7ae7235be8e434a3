import { PLATFORM_VARIABLE_PREFIXES, PLATFORM_VARIABLES } from "./generated/mod.ts";

/** Name of a variable that platforms set in every call. */
export type PlatformVariable =
  | (typeof PLATFORM_VARIABLES)[number]
  | `${(typeof PLATFORM_VARIABLE_PREFIXES)[number]}${string}`;

const names: ReadonlySet<string> = new Set(PLATFORM_VARIABLES);

/** Whether platforms set a variable with this name in every call. */
export function isPlatformVariable(name: string): boolean {
  return names.has(name) || PLATFORM_VARIABLE_PREFIXES.some((prefix) => name.startsWith(prefix));
}
