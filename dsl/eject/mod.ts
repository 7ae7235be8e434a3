export { type EjectOptions, eject } from "./eject.ts";
export type { EjectedFile } from "./ejected_file.ts";
