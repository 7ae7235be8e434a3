export { carriedSettings, isWorkflow, lostSettings, reportFaults } from "./carried.ts";
export { extrasOfGraph, extrasOfNode, GROWING, hasSameSettings, mergeSettings } from "./extras.ts";
export { DEFAULT_MODEL, emitModel } from "./model.ts";
