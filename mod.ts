/**
 * Callweave: voice agents as typed graphs. Define a flow, hold simulated calls against it, emit it for a platform.
 *
 * @module
 */
export * from "./platforms/mod.ts";
export * from "./src/errors.ts";
export { parseGraph } from "./src/graph/mod.ts";
