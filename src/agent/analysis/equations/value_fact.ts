/** The possible values of a variable. */
export interface ValueFact {
  /** The only texts that it can hold, such as the choices of an enum. Absent: any text of its kind. */
  readonly values?: readonly string[];
  /** `number`: numbers as an extraction stores them, without needless zeros. `text`: any text. */
  readonly kind: "text" | "number";
  /** Whether it may be unset. */
  readonly mayBeUnset: boolean;
}

/** A variable that nothing is known about. */
export const ANY_VALUE: ValueFact = { kind: "text", mayBeUnset: true };

/** A number as an extraction stores it. */
export function isCanonicalNumber(text: string): boolean {
  return /^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d*[1-9])?)$/.test(text);
}
