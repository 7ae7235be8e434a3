export {
  createStudioClient,
  type StudioClient,
  type StudioClientOptions,
  StudioRequestError,
  type StudioRequestOptions,
} from "./client.ts";
export { QUEUE_REASONS } from "./labels.ts";
export { openApi } from "./open_api.ts";
export { ErrorAnswer, MOST_NAME, ROLES, type Role } from "./parts.ts";
export { API_PATH, KEY_HEADER, ROUTES, type Route, type StudioRouteName } from "./routes.ts";
export { type Query, type RouteSchemas, SCHEMAS, type StudioSchemas } from "./schemas.ts";
export type * from "./types.ts";
