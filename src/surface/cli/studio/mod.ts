export { serveCommand, studioCommand } from "./studio.ts";
export { tokenCreateCommand, tokenListCommand, tokenRevokeCommand } from "./tokens.ts";
