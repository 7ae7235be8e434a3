export { LocalVapi } from "./server.ts";
