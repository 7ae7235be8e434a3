export { CONFIG_FILE, configDefaults, configurableCommands } from "./defaults.ts";
