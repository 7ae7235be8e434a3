/**
 * `callweave/deploy`: plans, applies and rolls back deployments of agents to platforms.
 *
 * @module
 */
export * from "../src/deploy/mod.ts";
