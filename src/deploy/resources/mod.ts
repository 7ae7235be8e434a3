export { linkIds, type ResourceIds, referencedAddress, referenceTo, unlinkIds } from "./references.ts";
export type { RemoteResource, Resource } from "./resource.ts";
export { type Difference, differences, mergeBodies, mergeThreeWays } from "./three_way.ts";
