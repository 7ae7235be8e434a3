export { ACME, type AcmeFacts } from "./facts.ts";
