import { madeOnce } from "../../base/values/mod.ts";

/**
 * The AI SDK, loaded by the first model call: commands without one start faster. Kept, because each `import()` costs a
 * resolution: half of the time of a turn on Node. With its type written out, declarations name nothing that one version of
 * the SDK lacks.
 */
export const aiSdk: () => Promise<typeof import("ai")> = madeOnce(() => import("ai"));
