/** The fields of a protobuf message by number: a number for each varint and fixed64, bytes for the others. */
export type Fields = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

/** Reads the fields of a protobuf message. */
export function readFields(bytes: Uint8Array): Fields {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = view.getUint8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const values = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, values);
    if ((tag & 7) === VARINT) values.push(varint());
    else if ((tag & 7) === FIXED64) {
      values.push(view.getBigUint64(at, true));
      at += 8;
    } else if ((tag & 7) === BYTES) {
      const length = Number(varint());
      values.push(bytes.subarray(at, at + length));
      at += length;
    } else at += 4; // fixed32
  }
  return fields;
}

/** The messages of a field. */
export function messages(fields: Fields, number: number): readonly Fields[] {
  return parts(fields, number).map(readFields);
}

/** The text of a field; an empty one if there is none. */
export function textOf(fields: Fields, number: number): string {
  return parts(fields, number)
    .map((part) => new TextDecoder().decode(part))
    .join("");
}

/** The bytes of a field as hexadecimal digits. */
export function hexOf(fields: Fields, number: number): string {
  return parts(fields, number)
    .map((part) => Buffer.from(part).toString("hex"))
    .join("");
}

/** The number of a field; 0 if there is none. */
export function numberOf(fields: Fields, number: number): number {
  const [value = 0n] = fields.get(number) ?? [];
  return typeof value === "bigint" ? Number(value) : 0;
}

function parts(fields: Fields, number: number): readonly Uint8Array[] {
  return (fields.get(number) ?? []).filter((part) => part instanceof Uint8Array);
}
