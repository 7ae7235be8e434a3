export { compose } from "./compose.ts";
export { type DecomposeOptions, decompose } from "./decompose.ts";
export type { Decomposition, DecompositionManifest, Handoff, PartEntry } from "./manifest.ts";
