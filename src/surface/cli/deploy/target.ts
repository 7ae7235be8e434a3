import { PLATFORM_NAMES, platformOf } from "../../../../platforms/mod.ts";
import { DeployError } from "../../../base/errors.ts";
import type { DeployTarget } from "../../../deploy/mod.ts";
import { DEPLOY_FORMATS } from "../../../document/platforms/mod.ts";
import { type ConfiguredEnvironment, environmentNamed, type Project } from "../../project/mod.ts";
import { type Arguments, usage } from "../arguments.ts";
import type { DeployTerminal } from "./deploy_run.ts";

/** Where an agent is deployed, read from the flags, the configuration and the environment. */
export function readDeployTarget(
  args: Arguments,
  project: Project,
  terminal: DeployTerminal,
  name = args.text("env"),
): DeployTarget {
  const { name: environment, settings } = environmentNamed(project, name);
  const to = formatOf(args.text("to") ?? settings.to);
  const baseUrl = baseUrlOf(args.text("base-url") ?? settings.baseUrl);
  const flow = args.text("flow");
  const { voice, variables, ids, numbers, acceptLosses } = settings;
  // platforms that nothing is deployed to have no settings here
  const ofPlatforms = Object.entries(settings).filter(([key]) => PLATFORM_NAMES.some((each) => each === key));
  const own = { voice, ...Object.fromEntries(ofPlatforms), variables, ids, numbers, acceptLosses };
  const { workspace, env: allowEnv = [] } = settings;
  return {
    to,
    key: keyOf(to, settings, terminal),
    environment,
    folder: project.folder,
    settings: Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
    env: terminal.env,
    allowEnv,
    signal: terminal.signal,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(flow === undefined ? {} : { flow }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}

function formatOf(text: string | undefined): DeployTarget["to"] {
  const format = DEPLOY_FORMATS.find((each) => each === text);
  if (format) return format;
  const hint = `Write --to ${DEPLOY_FORMATS.join("|")}`;
  throw text === undefined ? usage("--to is missing", hint) : usage(`"${text}" cannot be deployed`, hint);
}

function baseUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (isAddress) return text;
  throw usage(`the base URL is "${text}"`, "Write a URL, such as --base-url http://127.0.0.1:4000");
}

/** The platform's API key. */
function keyOf(to: DeployTarget["to"], { key }: ConfiguredEnvironment, { env, hide }: DeployTerminal): string {
  const variable = key ?? platformOf(to)?.connection.keyVariable ?? "";
  const value = env[variable]?.trim();
  if (value) {
    hide(value);
    return value;
  }
  throw new DeployError(`Cannot reach the platform: ${variable} is not set`, {
    code: "platform-key",
    hint: `Set ${variable} to the API key of the workspace`,
  });
}
