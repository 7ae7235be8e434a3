import { joinBytes } from "../../src/base/values/mod.ts";

/** A field of a protobuf message: a number (varint), or bytes (a text, a message, or a number of fixed size). */
export interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;
const LONGEST_VARINT = 10;

/**
 * Reads the fields of a message in their order. Its caller takes the ones that it knows, so that fields of later
 * versions do no harm.
 *
 * Numbers of more than 53 bits lose their last digits.
 *
 * @throws {RangeError} If the bytes are no message.
 */
export function readFields(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let part = 0; part < LONGEST_VARINT; part++) {
      const byte = view.getUint8(at++);
      value += (byte & 0x7f) * 2 ** (7 * part);
      if (byte < 0x80) return value;
    }
    throw new RangeError("a number has more than 64 bits");
  };
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new RangeError("a field is longer than its message");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const type = tag % 8;
    if (number === 0) throw new RangeError("a field has the number 0");
    if (type === VARINT) fields.push({ number, value: varint() });
    else if (type === BYTES) fields.push({ number, value: take(varint()) });
    else if (type === FIXED_64) fields.push({ number, value: take(8) });
    else if (type === FIXED_32) fields.push({ number, value: take(4) });
    else throw new RangeError(`a field has the type ${type}`);
  }
  return fields;
}

/** Reads the last of the texts in a field; `undefined` if there is none. */
export function textIn(fields: readonly Field[], number: number): string | undefined {
  const value = fields.findLast((field) => field.number === number)?.value;
  return value instanceof Uint8Array ? new TextDecoder("utf-8", { fatal: true }).decode(value) : undefined;
}

/** Reads a number or a switch in a field. Protobuf leaves out a number that is 0. */
export function numberIn(fields: readonly Field[], number: number): number {
  const value = fields.findLast((field) => field.number === number)?.value;
  return typeof value === "number" ? value : 0;
}

/** Reads all messages in a field. */
export function messagesIn(fields: readonly Field[], number: number): readonly (readonly Field[])[] {
  return fields.flatMap((field) =>
    field.number === number && field.value instanceof Uint8Array ? [readFields(field.value)] : [],
  );
}

/** Reads all texts in a field. */
export function textsIn(fields: readonly Field[], number: number): readonly string[] {
  return fields.filter((field) => field.number === number).flatMap((field) => textIn([field], number) ?? []);
}

/** Writes a message of texts, whole numbers, switches and messages, by the number of the field. It goes up to 15. */
export function writeMessage(
  ...fields: readonly (readonly [number: number, value: string | number | boolean | Uint8Array])[]
) {
  const parts = fields.map(([number, value]) => {
    if (typeof value === "boolean" || typeof value === "number")
      return Uint8Array.of(number * 8 + VARINT, ...varintOf(Number(value)));
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    return joinBytes([Uint8Array.of(number * 8 + BYTES, ...varintOf(bytes.length)), bytes]);
  });
  return joinBytes(parts);
}

function varintOf(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varintOf(value >>> 7)];
}
