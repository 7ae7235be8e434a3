import { once } from "../values/mod.ts";

/**
 * The AI SDK, loaded by the first model call: commands without one start faster. Kept, because each `import()` costs a
 * resolution: half of the time of a turn on Node.
 */
export const aiSdk = once(() => import("ai"));
