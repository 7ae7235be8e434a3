import { redact } from "../../redaction/mod.ts";
import { isRecord, thrownWords } from "../../values/mod.ts";

/** More is a page that was meant for somebody's eyes. */
const LONGEST = 300;

/**
 * What a provider says about a request that failed, without any key. The AI SDK reads the answers of its own providers;
 * of any other server's, as of Ollama's or a proxy's, its message has no more than the words of the HTTP status.
 */
export function providerWords(error: unknown): string {
  const message = redact(messageOf(error));
  // before anything is cut off: half a key would not be known for one
  const body = redact(isRecord(error) && typeof error.responseBody === "string" ? error.responseBody.trim() : "");
  const said = wordsIn(body);
  if (!said || body.includes(message) || said.includes(message)) return said.includes(message) ? said : message;
  return message ? `${message}: ${said}` : said;
}

/** An answer that broke off is told by what broke it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return thrownWords(error);
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return cause && !error.message.includes(cause) ? `${error.message}: ${cause}` : error.message;
}

function wordsIn(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // plain words, or a page
  }
  const words = messageIn(value) ?? body.replaceAll(/<[^<>]*>/g, " ");
  const line = words.replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** The message in one of the forms that servers wrap it in. */
function messageIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(messageIn).find((message) => message !== undefined);
  if (!isRecord(value)) return undefined;
  for (const key of ["error", "message", "detail", "msg", "error_description"]) {
    const message = messageIn(value[key]);
    if (message) return message;
  }
  return undefined;
}
