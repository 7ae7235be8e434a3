export { reportGraph } from "./report.ts";
