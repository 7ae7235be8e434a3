import { createHmac, randomBytes } from "node:crypto";
import { env } from "node:process";

/** Environment variable with the key of pseudonyms. */
export const KEY_VARIABLE = "CALLWEAVE_REDACT_KEY";

/** Draws integers from 0 up to a limit. The same value gives the same series. */
export type Draw = (below: number) => number;

/** Returns the series of numbers of a value. */
export type Keyed = (kind: string, value: string) => Draw;

/**
 * Creates a keyed source of pseudonyms: HMAC-SHA-256 of a value. Without the key, nobody can find the value of a
 * pseudonym by trying all phone numbers.
 *
 * @param key Default: `CALLWEAVE_REDACT_KEY`, else 32 random bytes that are not kept.
 */
export function createKeyed(key: string = env[KEY_VARIABLE] ?? ""): Keyed {
  const secret = key === "" ? randomBytes(32) : key;
  return (kind, value) => {
    let block = 0;
    let at = 0;
    let bytes = digest(secret, `${kind}\0${value}\0${block}`);
    return (below) => {
      if (at + 6 > bytes.length) {
        block++;
        at = 0;
        bytes = digest(secret, `${kind}\0${value}\0${block}`);
      }
      const number = bytes.readUIntBE(at, 6);
      at += 6;
      return number % below;
    };
  };
}

function digest(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Returns `count` digits, each drawn on its own; zeros may come first. */
export function drawDigits(draw: Draw, count: number): string {
  return Array.from({ length: count }, () => draw(10)).join("");
}
