export { boundedFetch } from "./bounded_fetch.ts";
export { type PagedList, readPages } from "./pages.ts";
export { createPlatformClient, type PlatformClient } from "./platform_client.ts";
export {
  type AnswerShape,
  type Authentication,
  type Connection,
  type ConnectionWords,
  ID,
  type Method,
  NOTHING,
  type PlatformApi,
  type PlatformRequest,
  TIME,
} from "./request.ts";
