export { type Connection, createPlatformClient, type PlatformClient, type PlatformRequest } from "./platform_client.ts";
