export {
  type Adapter,
  addressOf,
  type NumberTarget,
  type PhoneNumber,
  type PhoneNumbers,
  type WriteOptions,
} from "./adapter.ts";
export { retell } from "./retell.ts";
export { vapi } from "./vapi.ts";
