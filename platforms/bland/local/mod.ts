export { LocalBland } from "./server.ts";
