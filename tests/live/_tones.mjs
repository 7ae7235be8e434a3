// Speech of which words survive a real network: each sentence is one tone. Both sides of a call load this file.

/** What both sides say, by the number of its tone. */
export const TEXTS = [
  "Lamp shop, how can I help?",
  "Where is order A-1042?",
  "It is shipped and arrives on Friday.",
  "I ask for a manager!",
  "The manager calls you back.",
  "Goodbye.",
  "Goodbye!",
  // the help desk of the connections' tests
  "Hello, this is Lumen.",
  "How can I help you?",
  "Where is my order?",
  "Could you tell me the order number?",
  "It is A-1042.",
  "Order A-1042 is shipped and arrives on Friday.",
  "Is there anything else I can do for you?",
  "No, that is all.",
  "Thank you for calling Lumen.",
  "Where is order B-77?",
  "There is no order B-77.",
  "Could you tell me the number on the receipt?",
  "Sorry, it is A-1042.",
  "I want to return a lamp.",
  "Every lamp can be sent back within 30 days.",
  "I can email the label for the parcel.",
  "Shall I?",
  "Yes, I accept the label.",
  "The label is on its way.",
  "No more questions.",
  "My lamp is broken, I need a repair.",
  "Could you please screw the bulb in again?",
  "Could you tell me whether the lamp lights up now?",
  "No, it does not light up, it is still dark.",
  "I will put you through to a technician.",
  "The manager calls back today.",
  "Are you ready to continue?",
  "Where is my order A-1042?",
];
/** A reply of 9 s, in which the caller interrupts. */
export const LONG_REPLY = TEXTS.slice(17, 32).join(" ");
/** The frequency of each, in Hz: all of them pass a telephone. */
export const FREQUENCIES = TEXTS.map((_, at) => 400 + 75 * at);
const TONE_MS = 600;
const LEVEL = 9_000;
const LOUD = 2_000;
const QUIET_MS = 600;
/** Parts of a sound in which a tone is looked for, a second. */
const PARTS = 50;
/** Blocks in which silence is looked for, a second, and the level below which a block is silent. */
const BLOCKS = 200;
const LEAST = LEVEL / 10;
/** A tone that is heard in fewer parts is a noise. */
const LEAST_PARTS = 5;

/** The tones of a text, one a sentence. */
export function spoken(text, rate) {
  const sentences = text.match(/[^.?!]+[.?!]+/g) ?? [text];
  const size = (TONE_MS * rate) / 1000;
  const samples = new Int16Array(size * sentences.length);
  for (const [number, sentence] of sentences.entries()) {
    const hz = FREQUENCIES[TEXTS.indexOf(sentence.trim())];
    if (hz === undefined) throw new Error(`no tone for: ${sentence}`);
    const turn = (2 * Math.PI * hz) / rate;
    for (let at = 0; at < size; at++) samples[number * size + at] = LEVEL * Math.sin(turn * at);
  }
  return samples;
}

/** The sentences whose tones are in a sound, whatever is missing of them; empty for silence. */
export function heard(sound, rate) {
  const samples = withoutGaps(sound, rate);
  const size = Math.round(rate / PARTS);
  const texts = [];
  let [last, parts] = [-1, 0];
  for (let from = 0; from + size <= samples.length; from += size) {
    const at = loudest(samples.subarray(from, from + size), rate);
    parts = at === last ? parts + 1 : 1;
    last = at;
    if (at >= 0 && parts === LEAST_PARTS && texts.at(-1) !== TEXTS[at]) texts.push(TEXTS[at]);
  }
  return texts.join(" ");
}

/** The sound without its silence: on a busy machine, packets that come late are parted by it, which is no part of a tone. */
function withoutGaps(sound, rate) {
  const size = Math.round(rate / BLOCKS);
  const kept = new Int16Array(sound.length);
  let length = 0;
  for (let from = 0; from < sound.length; from += size) {
    const block = sound.subarray(from, from + size);
    if (!block.some((sample) => Math.abs(sample) > LEAST)) continue;
    kept.set(block, length);
    length += block.length;
  }
  return kept.subarray(0, length);
}

/** The number of the loudest tone in a part; -1 for silence. */
function loudest(part, rate) {
  // Goertzel's algorithm
  const powers = FREQUENCIES.map((hz) => {
    const twice = 2 * Math.cos((2 * Math.PI * hz) / rate);
    let [before, last] = [0, 0];
    for (const sample of part) [before, last] = [last, sample + twice * last - before];
    return Math.sqrt(Math.max(0, last * last + before * before - twice * last * before)) / part.length;
  });
  const most = Math.max(...powers);
  return most > LEVEL / 20 ? powers.indexOf(most) : -1;
}

/** Hears the other side: returns its text when it is silent. */
export class Ear {
  #rate;
  #quietMs;
  #parts = [];
  #quiet = 0;
  constructor(rate, quietMs = QUIET_MS) {
    this.#rate = rate;
    this.#quietMs = quietMs;
  }
  get isHearing() {
    return this.#parts.length > 0;
  }
  hear(samples) {
    const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
    if (!isLoud && this.#parts.length === 0) return undefined;
    for (const sample of samples) this.#parts.push(sample);
    this.#quiet = isLoud ? 0 : this.#quiet + (samples.length / this.#rate) * 1000;
    if (this.#quiet < this.#quietMs) return undefined;
    const text = heard(Int16Array.from(this.#parts), this.#rate);
    this.#parts = [];
    this.#quiet = 0;
    return text;
  }
}
