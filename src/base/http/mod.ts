export { boundedFetch } from "./bounded_fetch.ts";
export { type PagedList, readListPages } from "./pages.ts";
export { createPlatformClient, type PlatformClient } from "./platform_client.ts";
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
