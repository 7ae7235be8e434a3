export { type Difference, differences, type Merged, mergeBodies, mergeThreeWays, type Versions } from "./three_way.ts";
