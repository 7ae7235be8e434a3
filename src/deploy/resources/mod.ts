export { linkIds, type ResourceIds, referencedAddress, referenceTo, unlinkIds } from "./references.ts";
export type { RemoteResource, Resource } from "./resource.ts";
export { type Difference, differences, type Merged, mergeBodies, mergeThreeWays, type Versions } from "./three_way.ts";
