export { type EjectOptions, eject } from "./eject.ts";
export { type FlowModule, scenarioModule } from "./eject_scenarios.ts";
export type { EjectedFile } from "./module_text.ts";
