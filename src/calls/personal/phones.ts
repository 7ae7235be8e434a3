import type { CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Parses phone numbers. */
export interface PhoneReader {
  /** A normalized form of a number: digits with the country code if it is known. */
  readonly plain: (digits: string, hasPlus: boolean) => string;
  /** Whether a number can be one of a network, by its country's numbering plan. */
  readonly isValid: (digits: string, hasPlus: boolean) => boolean;
}

/**
 * Loads the numbering plans of all countries (`libphonenumber-js`).
 *
 * @param country Country of numbers without a country's code, such as `US`.
 */
export async function loadPhoneReader(country: string): Promise<PhoneReader> {
  const { parsePhoneNumberFromString: parse, isSupportedCountry } = await import("libphonenumber-js/min");
  const known = isSupportedCountry(country) ? country : "US";
  return {
    plain: (digits, hasPlus) => {
      const number = read(parse, digits, hasPlus, known);
      return number?.isPossible() ? number.number.slice(1) : digits;
    },
    isValid: (digits, hasPlus) => read(parse, digits, hasPlus, known)?.isValid() ?? false,
  };
}

function read(parse: typeof parsePhoneNumberFromString, digits: string, hasPlus: boolean, country: CountryCode) {
  const international = hasPlus || digits.startsWith("00");
  return parse(international ? `+${digits.replace(/^00/, "")}` : digits, country);
}
