export { parseBody, readResponseBody } from "./body.ts";
export { type PagedList, readListPages } from "./pages.ts";
export { boundedFetch, createPlatformClient, type PlatformClient } from "./platform_client.ts";
export { type PostOptions, postJson } from "./post_json.ts";
export {
  type AnswerShape,
  type Authentication,
  type ConnectionWords,
  ID,
  type Method,
  NOTHING,
  type PlatformApi,
  type PlatformConnection,
  type PlatformRequest,
  TIME,
} from "./request.ts";
