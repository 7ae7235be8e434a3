// Speech of which words survive a real network: each text is one tone. Both sides of a call load this file.

/** What both sides say, by the number of its tone. */
export const TEXTS = [
  "Lamp shop, how can I help?",
  "Where is order A-1042?",
  "It is shipped and arrives on Friday.",
  "I ask for a manager!",
  "The manager calls you back.",
  "Goodbye.",
  "Goodbye!",
];
/** The frequency of each, in Hz. */
export const FREQUENCIES = [500, 700, 900, 1100, 1300, 1500, 1700];
const TONE_MS = 800;
const LEVEL = 9_000;
const LOUD = 2_000;
const QUIET_MS = 600;

/** The tone of a text. */
export function spoken(text, rate) {
  const hz = FREQUENCIES[TEXTS.indexOf(text.trim())];
  if (hz === undefined) throw new Error(`no tone for: ${text}`);
  const turn = (2 * Math.PI * hz) / rate;
  return Int16Array.from({ length: (TONE_MS * rate) / 1000 }, (_, at) => LEVEL * Math.sin(turn * at));
}

/** The text whose tone is the loudest in a sound, whatever is missing of it; empty for silence. */
export function heard(samples, rate) {
  const powers = FREQUENCIES.map((hz) => {
    let power = 0;
    const size = Math.round(rate / 50);
    for (let from = 0; from + size <= samples.length; from += size) {
      let [real, imaginary] = [0, 0];
      for (let at = from; at < from + size; at++) {
        const angle = (2 * Math.PI * hz * at) / rate;
        real += samples[at] * Math.cos(angle);
        imaginary += samples[at] * Math.sin(angle);
      }
      power += Math.hypot(real, imaginary);
    }
    return power / samples.length;
  });
  const most = Math.max(...powers);
  return most > 100 ? TEXTS[powers.indexOf(most)] : "";
}

/** Hears the other side: returns its text when it is silent. */
export class Ear {
  #rate;
  #parts = [];
  #quiet = 0;
  constructor(rate) {
    this.#rate = rate;
  }
  get isHearing() {
    return this.#parts.length > 0;
  }
  hear(samples) {
    const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
    if (!isLoud && this.#parts.length === 0) return undefined;
    this.#parts.push(...samples);
    this.#quiet = isLoud ? 0 : this.#quiet + (samples.length / this.#rate) * 1000;
    if (this.#quiet < QUIET_MS) return undefined;
    const text = heard(this.#parts, this.#rate);
    this.#parts = [];
    this.#quiet = 0;
    return text;
  }
}
