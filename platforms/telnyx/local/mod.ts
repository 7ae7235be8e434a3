export { LocalTelnyx } from "./server.ts";
