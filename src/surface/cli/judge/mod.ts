export { judgeCalibrateCommand } from "./calibrate.ts";
