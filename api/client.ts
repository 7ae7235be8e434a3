/**
 * `callweave/client`: the typed client of the API that `callweave studio` and `callweave serve` have. It runs in browsers
 * too.
 *
 * @module
 */

export {
  createStudioClient,
  type StudioClient,
  type StudioClientOptions,
  StudioRequestError,
  type StudioRequestOptions,
  type StudioRequests,
  type StudioRouteOf,
} from "../src/surface/studio/api/client.ts";
export type { StudioRouteName } from "../src/surface/studio/api/routes.ts";
export type { StudioSchemas } from "../src/surface/studio/api/schemas.ts";
export type * from "../src/surface/studio/api/types.ts";
