export { boundedFetch } from "./bounded_fetch.ts";
export { type PagedList, readPages } from "./pages.ts";
export { createPlatformClient, type PlatformClient } from "./platform_client.ts";
export {
  type AnswerShape,
  type Connection,
  type ConnectionWords,
  ID,
  NOTHING,
  type PlatformRequest,
  TIME,
} from "./request.ts";
