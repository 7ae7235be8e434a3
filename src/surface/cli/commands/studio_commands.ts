import type { ListedCommand } from "../arguments.ts";

/** Commands of the studio, in the order of the overview. */
export const STUDIO_COMMANDS: readonly ListedCommand[] = [
  {
    name: "studio",
    usage: "[SOURCE]",
    summary: "Work together on an agent in the browser",
    load: async () => (await import("../studio/mod.ts")).studioCommand,
  },
  {
    name: "serve",
    usage: "[SOURCE]",
    summary: "Serve the studio's API without its page",
    load: async () => (await import("../studio/mod.ts")).serveCommand,
  },
  {
    name: "studio token create",
    usage: "NAME --role ROLE",
    summary: "Create a token to sign in to the studio with",
    load: async () => (await import("../studio/mod.ts")).tokenCreateCommand,
  },
  {
    name: "studio token list",
    usage: "",
    summary: "List who may sign in to the studio",
    load: async () => (await import("../studio/mod.ts")).tokenListCommand,
  },
  {
    name: "studio token revoke",
    usage: "NAME",
    summary: "Revoke somebody's token",
    load: async () => (await import("../studio/mod.ts")).tokenRevokeCommand,
  },
];
