export { configDefaults, configurableCommands } from "./defaults.ts";
