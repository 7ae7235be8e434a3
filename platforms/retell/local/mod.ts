export { LocalRetell } from "./server.ts";
