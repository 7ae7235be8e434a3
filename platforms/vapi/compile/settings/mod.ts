export { carriedSettings, isWorkflow, lostSettings, reportFaults } from "./carried.ts";
export { extrasOfGraph, extrasOfNode, GROWING, hasSameSettings, mergeJson } from "./extras.ts";
export { DEFAULT_MODEL, emitModel } from "./model.ts";
