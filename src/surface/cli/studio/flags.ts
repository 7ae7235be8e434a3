import { CALL_SETTINGS } from "../../../document/settings/mod.ts";
import type { Flag } from "../arguments.ts";
import { POLICY_FLAGS } from "../sources.ts";

/** Flags of the commands that serve a project. */
export const SERVER_FLAGS = {
  port: {
    value: "N",
    kind: { type: "number", from: 0, to: 65_535, whole: true },
    description: "Port (default: a free one)",
  },
  host: {
    value: "ADDRESS",
    description: "Address to listen on for a team, who then sign in with tokens (default: 127.0.0.1)",
  },
  origin: { value: "URL", description: "Address that people see, if a proxy does TLS: https://studio.example.com" },
  db: { value: "URL", description: "Results database: a file or a libSQL URL (default: .callweave/results.db)" },
  scenarios: {
    value: "FILE",
    repeats: true,
    description: "Module of scenarios, or JSON list of them (default: SOURCE)",
  },
  ...POLICY_FLAGS,
  agent: {
    value: "AGENT",
    repeats: true,
    description:
      "Deployed agent to talk with, besides those of the environments: platform:ID, or a module's connection",
  },
  model: { ...CALL_SETTINGS.model, description: "Model of chats and runs (default: that of run)" },
  export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
  json: { description: "Print { address } as JSON" },
  from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
} satisfies { readonly [name: string]: Flag };

/** The flag of a results database. */
export const DATABASE_FLAG = { db: SERVER_FLAGS.db } satisfies { readonly [name: string]: Flag };
