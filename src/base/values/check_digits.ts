/** Whether the last digit of a payment card's number is right (Luhn). */
export function hasLuhnDigit(digits: string): boolean {
  return digits.slice(-1) === String(luhnDigit(digits.slice(0, -1)));
}

/** The check digit of payment cards (Luhn, ISO/IEC 7812-1) for the digits before it. */
export function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** The remainder of an IBAN, without blanks, modulo 97 (ISO 13616): 1 if its check digits are right. */
export function ibanRest(iban: string): number {
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((each) => Number.parseInt(each, 36)).join("");
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}
