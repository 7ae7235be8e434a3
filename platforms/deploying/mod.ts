export {
  type Adapter,
  addressOf,
  type NumberTarget,
  type PhoneNumber,
  type PhoneNumbers,
  type ResourceWrite,
} from "./adapter.ts";
export { linkIds, type ResourceIds, referencedAddress, referenceTo, unlinkIds } from "./references.ts";
export { changedKeys, sendCreation, sendDeletion, sendIfPresent } from "./requests.ts";
export type { RemoteResource, Resource } from "./resource.ts";
