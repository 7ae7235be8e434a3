import { type CallweaveError, DeployError, isCallweaveError } from "../../../base/errors.ts";
import { createRedactor } from "../../../base/redaction/mod.ts";
import { formatError } from "../../../base/values/mod.ts";
import type { Arguments, ExitCode } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/** A terminal that redacts keys. */
export interface DeployTerminal extends Terminal {
  /** Redacts a key in all later output, whatever its variable is called. */
  readonly hide: (key: string) => void;
}

/** Codes of errors that are outcomes, not failures: both sides changed, or the gate refuses. */
const RESULTS: readonly string[] = ["deploy-conflict", "gate"];

/** Runs a deploy command: redacts keys in its output; conflicts and gates that refuse end with exit code 1. */
export function deployRun(run: (args: Arguments, terminal: DeployTerminal) => Promise<ExitCode>) {
  return async (args: Arguments, terminal: Terminal): Promise<ExitCode> => {
    const keys: Record<string, string> = {};
    let redactor = createRedactor({ env: terminal.env });
    const quiet: DeployTerminal = {
      ...terminal,
      out: (text) => terminal.out(redactor.text(text)),
      err: (text) => terminal.err(redactor.text(text)),
      warn: (warning) => terminal.warn(redactor.text(warning)),
      hide: (key) => {
        keys[`DEPLOY_API_KEY_${Object.keys(keys).length + 1}`] = key;
        redactor = createRedactor({ env: { ...terminal.env, ...keys } });
      },
    };
    try {
      return await run(args, quiet);
    } catch (error) {
      if (!isCallweaveError(error)) throw error;
      if (!RESULTS.includes(error.code)) throw withoutKeys(error, redactor.text);
      quiet.err(formatError(error));
      for (const { message } of error.issues.slice(1)) quiet.err(`  ${message}\n`);
      return 1;
    }
  };
}

/** The same error, redacted: a platform's message may repeat a key. */
function withoutKeys(error: CallweaveError, text: (text: string) => string): CallweaveError {
  const { code, path, hint, message } = error;
  if (text(message) === message && text(hint) === hint) return error;
  return new DeployError(text(message), { code, path, hint: text(hint) });
}
