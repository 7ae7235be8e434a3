import type { OpenStoreOptions } from "../../../run/store/mod.ts";
import { createToken, listTokens, openStudioData, ROLES, revokeToken, type StudioData } from "../../studio/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";
import { readChoice } from "../run/mod.ts";
import { DATABASE_FLAG } from "./flags.ts";

const NAME = { name: "NAME", description: "Who has the token; labels and the audit have this name" };
const MOST_NAME = 100;

/** `callweave studio token create`. */
export const tokenCreateCommand: Command = {
  name: "studio token create",
  summary: "Create a token to sign in to the studio with",
  spec: {
    positionals: [NAME],
    flags: {
      role: {
        value: ROLES.join("|"),
        description: "viewer looks; labeller also labels calls; editor may do everything",
      },
      ...DATABASE_FLAG,
      json: { description: "Print { name, role, token } as JSON" },
    },
  },
  notes: ["The token is printed once; the database has only a hash of it."],
  examples: ["callweave studio token create ana --role labeller"],
  run: async (args, terminal) => {
    const role = readChoice(args, "role", ROLES);
    if (role === undefined) throw usage("--role is missing", `Write --role ${ROLES.join("|")}`);
    const name = args.at("NAME").trim();
    if (name === "" || name.length > MOST_NAME) throw usage("NAME is empty or too long", "Write a short name");
    await using data = await openData(args, terminal);
    const token = await createToken(data, name, role);
    if (token === undefined)
      throw usage(`"${name}" has a token`, `Revoke it first: callweave studio token revoke ${name}`);
    terminal.out(args.has("json") ? `${JSON.stringify({ name, role, token })}\n` : `${token}\n`);
    return 0;
  },
};

/** `callweave studio token list`. */
export const tokenListCommand: Command = {
  name: "studio token list",
  summary: "List who may sign in to the studio",
  spec: { positionals: [], flags: { ...DATABASE_FLAG, json: { description: "Print a list as JSON" } } },
  examples: ["callweave studio token list"],
  run: async (args, terminal) => {
    await using data = await openData(args, terminal);
    const tokens = await listTokens(data);
    const lines = tokens.map(({ name, role, createdAt }) => `${name}  ${role}  ${createdAt}\n`);
    terminal.out(args.has("json") ? `${JSON.stringify(tokens, null, 2)}\n` : lines.join("") || "no tokens\n");
    return 0;
  },
};

/** `callweave studio token revoke`. */
export const tokenRevokeCommand: Command = {
  name: "studio token revoke",
  summary: "Revoke somebody's token; who is signed in with it is signed out",
  spec: { positionals: [NAME], flags: { ...DATABASE_FLAG, json: { description: "Print { revoked } as JSON" } } },
  examples: ["callweave studio token revoke ana"],
  run: async (args, terminal) => {
    await using data = await openData(args, terminal);
    const name = args.at("NAME").trim();
    if (!(await revokeToken(data, name)))
      throw usage(`"${name}" has no token`, "List them: callweave studio token list");
    terminal.out(args.has("json") ? `${JSON.stringify({ revoked: name })}\n` : `revoked: ${name}\n`);
    return 0;
  },
};

async function openData(args: Arguments, { env, signal }: Terminal): Promise<StudioData> {
  const url = args.text("db");
  const options: OpenStoreOptions = { signal };
  const isOfEnvironment = url !== undefined && env.CALLWEAVE_DB_URL === url && env.CALLWEAVE_DB_TOKEN;
  return await openStudioData(url, isOfEnvironment ? { ...options, authToken: env.CALLWEAVE_DB_TOKEN ?? "" } : options);
}
