/** A packet of sound (RTP, RFC 3550), as it arrives. */
export interface SoundPacket<Content> {
  readonly sequence: number;
  /** Where its sound begins, in units of the sender's clock. */
  readonly time: number;
  /** Number of the sender. */
  readonly source: number;
  readonly content: Content;
}

/** Gets packets in the order in which they were sent. */
export interface PacketTaker<Content> {
  /** Takes what a packet contains, and returns how long its sound is, in units of the sender's clock. */
  readonly play: (content: Content) => number;
  /** Takes the silence in place of packets that are lost, in units of the sender's clock. */
  readonly lose: (units: number) => void;
  /** Silence in place of lost packets is not longer, in units of the sender's clock. */
  readonly mostLost: number;
}

/** Packets that wait for one that is late; then it counts as lost. */
const MOST_WAITING = 3;
/** How long they wait, in milliseconds: before a pause of the other side, no more packets come. */
const LONGEST_WAIT_MS = 100;

/** Puts packets in order that the network has mixed, and finds the ones that it has lost. */
export class PacketOrder<Content> {
  readonly #taker: PacketTaker<Content>;
  readonly #early = new Map<number, SoundPacket<Content>>();
  #expected: { readonly sequence: number; readonly time: number; readonly source: number } | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(taker: PacketTaker<Content>) {
    this.#taker = taker;
  }

  add(packet: SoundPacket<Content>): void {
    if (this.#expected?.source !== packet.source) {
      this.#early.clear();
      this.#expected = packet;
    }
    const ahead = (packet.sequence - (this.#expected?.sequence ?? 0)) & 0xffff;
    if (ahead >= 0x8000) return; // too late, or a second time
    this.#early.set(packet.sequence, packet);
    this.#deliver();
  }

  /** Passes on what is next, and what waits behind a packet that is lost. */
  #deliver(): void {
    for (;;) {
      const expected = this.#expected;
      if (!expected) return;
      const next = this.#early.get(expected.sequence);
      if (next) {
        this.#early.delete(expected.sequence);
        const time = (next.time + this.#taker.play(next.content)) >>> 0;
        this.#expected = { sequence: (expected.sequence + 1) & 0xffff, time, source: next.source };
      } else if (this.#early.size >= MOST_WAITING) this.#skip(expected);
      else {
        this.#wait(expected);
        return;
      }
    }
  }

  /** Gives a packet that is late some time. */
  #wait(expected: { readonly sequence: number; readonly time: number }): void {
    clearTimeout(this.#patience);
    if (this.#early.size === 0) return;
    this.#patience = setTimeout(() => {
      this.#skip(expected);
      this.#deliver();
    }, LONGEST_WAIT_MS);
  }

  /** A packet is lost: as much silence keeps the words behind it in their place. */
  #skip(expected: { readonly sequence: number; readonly time: number }): void {
    const distance = (sequence: number) => (sequence - expected.sequence) & 0xffff;
    const [first] = [...this.#early.values()].toSorted(
      (one, other) => distance(one.sequence) - distance(other.sequence),
    );
    if (!first) return;
    const gap = (first.time - expected.time) >>> 0;
    if (gap > 0 && gap <= this.#taker.mostLost) this.#taker.lose(gap);
    this.#expected = first;
  }
}
