export { diagnoseCommand } from "./diagnose.ts";
