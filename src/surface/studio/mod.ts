export { ROLES, type Role } from "./api/mod.ts";
export { createToken, listTokens, openStudioData, revokeToken, type StudioData } from "./data/mod.ts";
export { type StudioPage, studioPage } from "./page/mod.ts";
export * from "./server/mod.ts";
