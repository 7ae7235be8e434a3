export { carriedSettings, DEFAULT_MODEL, emitModel, isWorkflow, lostSettings, reportFaults } from "./carried.ts";
export { extrasOfGraph, extrasOfNode, GROWING, hasSameSettings, mergeSettings, overridden } from "./extras.ts";
